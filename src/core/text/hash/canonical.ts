/**
 * Canonical JSON: object keys are in code point order. Hashes, receipts and identical bytes [D1] depend on it.
 * Rejects what JSON would lose: functions, symbols, bigints, NaN, infinities.
 */

import { compareCodePoints } from './code-point-order.ts'

/**
 * The canonical JSON of a value. Undefined members are left out (null in arrays), typed arrays become arrays of numbers, -0
 * becomes 0. Throws a TypeError for a value without JSON, and for cycles.
 */
export function canonicalJson(value: unknown): string {
  return write(value, [])
}

function write(value: unknown, parents: readonly object[]): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return writeNumber(value)
  if (typeof value !== 'object') throw new TypeError(`Canonical JSON cannot hold a ${typeof value}.`)
  if (parents.includes(value)) throw new TypeError('Canonical JSON cannot hold a cycle.')
  if (Array.isArray(value)) {
    const inside = [...parents, value]
    return `[${Array.from(value, (member: unknown) => (member === undefined ? 'null' : write(member, inside))).join(',')}]`
  }
  if (ArrayBuffer.isView(value)) return writeTypedArray(value)
  return writeObject(value, [...parents, value])
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`Canonical JSON cannot hold ${value}.`)
  return String(value === 0 ? 0 : value)
}

function writeTypedArray(value: ArrayBufferView): string {
  if (value instanceof DataView) throw new TypeError('Canonical JSON cannot hold a DataView.')
  const numbers: string[] = []
  for (const number of value as Float64Array) numbers.push(write(number, []))
  return `[${numbers.join(',')}]`
}

function writeObject(value: object, inside: readonly object[]): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  // Maps, sets and dates would silently become {}.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new TypeError(`Canonical JSON cannot hold a ${value.constructor.name}.`)
  }
  const members: string[] = []
  for (const key of Object.keys(value).sort(compareCodePoints)) {
    const member = (value as { readonly [key: string]: unknown })[key]
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${write(member, inside)}`)
  }
  return `{${members.join(',')}}`
}
