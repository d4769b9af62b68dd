/** Freezes literals deeply, so that shipped and validated data cannot change. */

/** Returns the value itself, with every object and array in it frozen. Takes plain data without cycles. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) deepFrozen(part)
  return Object.freeze(value)
}
