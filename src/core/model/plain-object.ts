/** Plain data: recognises and freezes it. */

/** Whether a value is plain data at a boundary: an object literal, not an array, a view or a class instance. */
export function isPlainObject(input: unknown): input is Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || ArrayBuffer.isView(input)) return false
  const prototype = Object.getPrototypeOf(input)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Names that a careless reader of metadata could use to reach a prototype. No record has them as keys of its metadata. */
export const prototypeNames: ReadonlySet<string> = /* @__PURE__ */ new Set(['__proto__', 'constructor', 'prototype'])

/** Returns the value itself, with every object and array in it frozen. Takes plain data without cycles. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) deepFrozen(part)
  return Object.freeze(value)
}
