/** The policies by name. Literals only: an app adds its own by passing one. */
import type { Policy } from '../model/policy.ts'
import { balanced } from './balanced.ts'

export const policies = Object.freeze({ balanced }) satisfies Readonly<Record<string, Policy>>

export type PolicyName = keyof typeof policies
