/** Checks names of stores. */
import { recallError } from '../../core/model/errors.ts'

/** Throws `INVALID_CONFIG` for an invalid name. */
export function checkName(name: unknown): asserts name is string {
  if (typeof name === 'string' && name.trim() !== '' && name.length <= maxNameLength) return
  throw recallError('INVALID_CONFIG', `must be a string of 1 to ${maxNameLength} characters`, {
    field: 'name',
    value: name,
    hint: 'Give the store a short name.',
  })
}

const maxNameLength = 200
