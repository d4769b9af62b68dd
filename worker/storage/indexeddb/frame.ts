/**
 * Encodes values of a byte store: a header and a payload under one checksum that also covers the key, so that flipped, cut, swapped and
 * foreign bytes are detected. A damaged value decodes to null.
 *
 * Layout: magic (4), length of the JSON (4), length of the payload (4), key and header as JSON, payload, checksum (8). JSON
 * and payload are padded with zeros to a multiple of 4.
 */
import type { Bytes } from '../common/byte-store.ts'

export interface Frame<Header> {
  readonly header: Header
  readonly payload: Uint8Array
  /** 16 hexadecimal digits. */
  readonly checksum: string
}

/** The payload consists of the parts, one after the other. */
export function encodeFrame(
  key: string,
  header: object,
  parts: readonly Uint8Array[] = [],
): { readonly bytes: Bytes; readonly checksum: string } {
  const text = encoder.encode(JSON.stringify([key, header]))
  const payloadAt = aligned(prefixBytes + text.length)
  const payloadBytes = parts.reduce((sum, part) => sum + part.length, 0)
  const bytes = new Uint8Array(aligned(payloadAt + payloadBytes) + checksumBytes)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, magic)
  view.setUint32(4, text.length)
  view.setUint32(8, payloadBytes)
  bytes.set(text, prefixBytes)
  let at = payloadAt
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  const end = bytes.length - checksumBytes
  const [low, high] = checksumOf(bytes, end)
  view.setUint32(end, low)
  view.setUint32(end + 4, high)
  return { bytes, checksum: hexOf(low, high) }
}

/** Null if the bytes are not exactly what `encodeFrame` returned for this key. */
export function decodeFrame<Header>(key: string, bytes: unknown): Frame<Header> | null {
  if (!(bytes instanceof Uint8Array) || bytes.length < prefixBytes + checksumBytes || bytes.length % 4 !== 0)
    return null
  const own = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  const view = new DataView(own.buffer, own.byteOffset, own.byteLength)
  const end = own.length - checksumBytes
  const [low, high] = checksumOf(own, end)
  if (view.getUint32(end) !== low || view.getUint32(end + 4) !== high || view.getUint32(0) !== magic) return null
  const textBytes = view.getUint32(4)
  const payloadBytes = view.getUint32(8)
  const payloadAt = aligned(prefixBytes + textBytes)
  if (aligned(payloadAt + payloadBytes) !== end) return null
  const header = headerIn<Header>(decoder.decode(own.subarray(prefixBytes, prefixBytes + textBytes)), key)
  if (header === null) return null
  return { header, payload: own.subarray(payloadAt, payloadAt + payloadBytes), checksum: hexOf(low, high) }
}

/** Null unless the text is that of this key with an object. A right checksum does not prove that this library computed it. */
function headerIn<Header>(text: string, key: string): Header | null {
  try {
    const [keyInside, header] = JSON.parse(text)
    return keyInside === key && typeof header === 'object' ? header : null
  } catch {
    return null
  }
}

/**
 * Two independent 32-bit lanes over little-endian words. For a given word each step is a bijection of the lane, so inputs that differ in
 * one word always differ in their checksum; other damage goes undetected with a probability of 2^-64.
 */
function checksumOf(bytes: Uint8Array, length: number): readonly [number, number] {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, length >>> 2)
  let low = 0x9e3779b1 ^ length
  let high = 0x85ebca77 ^ length
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    low = Math.imul(low ^ word, 0x27d4eb2f)
    low ^= low >>> 15
    high = Math.imul(high + word, 0x165667b1)
    high ^= high >>> 13
  }
  return [low >>> 0, high >>> 0]
}

function hexOf(low: number, high: number): string {
  return low.toString(16).padStart(8, '0') + high.toString(16).padStart(8, '0')
}

function aligned(bytes: number): number {
  return (bytes + 3) & ~3
}

/** 'SJf1': the first version of the frame layout. */
const magic = 0x534a6631
const prefixBytes = 12
const checksumBytes = 8
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
