/** The error of a wrong policy literal. */
import { type RecallError, recallError } from '../model/errors.ts'

export function invalidPolicy(field: string, value: unknown, problem: string, hint: string): RecallError {
  return recallError('INVALID_POLICY', problem, value === undefined ? { field, hint } : { field, value, hint })
}
