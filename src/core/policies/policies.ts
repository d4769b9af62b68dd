/** The policies by name. Literals only: an app adds its own by passing one. */
import type { Policy } from '../model/policy.ts'
import { balanced } from './balanced.ts'
import { ctxsift } from './ctxsift.ts'
import { secondBrain } from './second-brain.ts'
import { tokenpak } from './tokenpak.ts'

export const policies = Object.freeze({ balanced, tokenpak, ctxsift, secondBrain }) satisfies Readonly<
  Record<string, Policy>
>

export type PolicyName = keyof typeof policies
