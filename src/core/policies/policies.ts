/** The shipped policies by name. An app passes its own policy as a literal. */
import type { Policy } from '../model/policy.ts'
import { balanced } from './balanced.ts'
import { ctxsift } from './ctxsift.ts'
import { popoto } from './popoto.ts'
import { secondBrain } from './second-brain.ts'
import { tokenpak } from './tokenpak.ts'

export const policies = Object.freeze({ balanced, tokenpak, ctxsift, popoto, secondBrain }) satisfies Readonly<
  Record<string, Policy>
>

export type PolicyName = keyof typeof policies
