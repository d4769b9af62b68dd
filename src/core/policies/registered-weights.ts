/** The registered weight of every reason code. A policy with other weights has its own table. */
import { type ReasonCodeName, reasonCodes } from '../model/reason-codes.ts'

export const registeredWeights = Object.freeze(
  Object.fromEntries(Object.entries(reasonCodes).map(([code, { weight }]) => [code, weight])),
) as Readonly<Record<ReasonCodeName, number>>
