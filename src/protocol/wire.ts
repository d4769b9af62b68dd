/**
 * Messages between a client and a server: JSON, followed by the bytes of its typed arrays. Nothing that an answer can hold is lost: -0, NaN,
 * `undefined` in lists, typed arrays. `{ "$": … }` marks what JSON lacks.
 */
import type { CallRequest } from './engine-host.ts'
import type { Reply } from './envelope.ts'
import type { EngineEvent } from './events.ts'

export type ClientMessage =
  | { readonly type: 'hello'; readonly version: number; readonly token: string }
  | { readonly type: 'call'; readonly call: CallRequest }
  | { readonly type: 'cancel'; readonly id: string }

export type ServerMessage =
  | { readonly type: 'welcome'; readonly version: number }
  /** The hello was refused; the connection ends. */
  | { readonly type: 'refused'; readonly reply: Reply<never> }
  | { readonly type: 'reply'; readonly id: string; readonly reply: Reply<unknown> }
  | { readonly type: 'event'; readonly event: EngineEvent }

const arrays = { Uint8Array, Int8Array, Uint32Array, Int32Array, Float32Array, Float64Array, Uint16Array, Int16Array }
type Marked = Readonly<Record<string, unknown>>

export function encodeMessage(value: unknown): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  let size = 0
  const plain = (given: unknown): unknown => {
    if (given === undefined) return { $: 'undefined' }
    if (typeof given === 'number')
      return Number.isFinite(given) && !Object.is(given, -0)
        ? given
        : { $: 'number', is: Object.is(given, -0) ? '-0' : String(given) }
    if (typeof given === 'bigint') return { $: 'bigint', is: String(given) }
    if (typeof given !== 'object' || given === null) return given
    if (Array.isArray(given)) return Array.from(given, plain)
    if (ArrayBuffer.isView(given)) {
      const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
      parts.push(bytes)
      size += bytes.length
      return { $: given.constructor.name, is: bytes.length }
    }
    if (given instanceof Date) return { $: 'date', is: plain(given.getTime()) }
    if (given instanceof Map) return { $: 'map', is: plain([...given]) }
    // As a copy to a worker has it: members that are set to undefined stay.
    const members = Object.entries(given).map(([key, one]) => [key, plain(one)] as const)
    return Object.hasOwn(given, '$') || Object.hasOwn(given, '__proto__')
      ? { $: 'object', is: members }
      : Object.fromEntries(members)
  }
  const json = new TextEncoder().encode(JSON.stringify(plain(value)))
  const message = new Uint8Array(4 + json.length + size)
  new DataView(message.buffer).setUint32(0, json.length, true)
  message.set(json, 4)
  let at = 4 + json.length
  for (const part of parts) {
    message.set(part, at)
    at += part.length
  }
  return message
}

/** The bytes of a message's JSON. Throws a TypeError for a message that is cut off. */
export function jsonOf(message: Uint8Array): Uint8Array {
  if (message.length < 4) throw new TypeError('A message has at least 4 bytes.')
  const end = 4 + new DataView(message.buffer, message.byteOffset).getUint32(0, true)
  if (end > message.length) throw new TypeError('A message is cut off.')
  return message.subarray(4, end)
}

/** Throws a TypeError or a SyntaxError for bytes that `encodeMessage` does not write. */
export function decodeMessage(message: Uint8Array): unknown {
  const text = jsonOf(message)
  let at = 4 + text.length
  const value = (json: unknown): unknown => {
    if (typeof json !== 'object' || json === null) return json
    if (Array.isArray(json)) return json.map(value)
    const { $: marker, is } = json as Marked
    if (marker === undefined) return Object.fromEntries(Object.entries(json).map(([key, one]) => [key, value(one)]))
    if (marker === 'undefined') return undefined
    if (marker === 'number') return Number(is)
    if (marker === 'bigint') return BigInt(String(is))
    if (marker === 'date') return new Date(value(is) as number)
    if (marker === 'map') return new Map(value(is) as [unknown, unknown][])
    if (marker === 'object')
      return Object.fromEntries((is as [string, unknown][]).map(([key, one]) => [key, value(one)]))
    if (typeof marker !== 'string' || !Object.hasOwn(arrays, marker)) throw new TypeError('A marker is unknown.')
    if (!Number.isSafeInteger(is) || (is as number) < 0 || at + (is as number) > message.length)
      throw new TypeError('A message is cut off.')
    const bytes = message.slice(at, (at += is as number))
    return new arrays[marker as keyof typeof arrays](bytes.buffer as ArrayBuffer)
  }
  const decoded = value(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text)))
  if (at !== message.length) throw new TypeError('A message has extra bytes at its end.')
  return decoded
}
