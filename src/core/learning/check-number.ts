/** Rejects numbers for which a formula would give NaN or Infinity [G1]. */
import { recallError } from '../model/errors.ts'

/** Throws `INVALID_ARGUMENT` with the field, unless `value` is a number from `min` to `max`. */
export function checkNumber(field: string, value: unknown, min = -Number.MAX_VALUE, max = Number.MAX_VALUE): void {
  if (typeof value === 'number' && value >= min && value <= max) return
  const range =
    min === -Number.MAX_VALUE
      ? 'a finite number'
      : max === Number.MAX_VALUE
        ? `a number of at least ${min}`
        : `a number from ${min} to ${max}`
  throw recallError('INVALID_ARGUMENT', `must be ${range}`, { field, value, hint: `Give ${range}.` })
}
