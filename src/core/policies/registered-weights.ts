/** The weight of every reason code as the registry has it: a policy that weighs otherwise spells its own table out. */
import { type ReasonCodeName, reasonCodes } from '../model/reason-codes.ts'

export const registeredWeights = Object.freeze(
  Object.fromEntries(Object.entries(reasonCodes).map(([code, { weight }]) => [code, weight])),
) as Readonly<Record<ReasonCodeName, number>>
