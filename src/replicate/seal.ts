/**
 * Encrypts blobs: AES-256-GCM with a random nonce of 96 bits; the name of a blob is part of what is authenticated, so that blobs cannot be
 * exchanged. HKDF (SHA-256) makes two keys of the app's key: one encrypts, one assigns records to buckets. Blobs are padded (Padmé,
 * https://lbarman.ch/blog/padme/), so that their size says little about their content.
 */
import { recallError } from '../core/model/errors.ts'

export interface Seal {
  seal(name: string, plain: Uint8Array): Promise<Uint8Array<ArrayBuffer>>
  /** Rejects with `INVALID_CONFIG` if the blob was not encrypted with this key, or is damaged. */
  open(name: string, encrypted: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>
  /** A number from 0 to 255 that only owners of the key can compute. */
  place(text: string): Promise<number>
}

const version = 1
const nonceBytes = 12
/** The version, the nonce. The length of the content is inside. */
const headBytes = 1 + nonceBytes
const lengthBytes = 4

export async function createSeal(key: Uint8Array): Promise<Seal> {
  const given = await crypto.subtle.importKey('raw', Uint8Array.from(key), 'HKDF', false, ['deriveKey'])
  const derived = (purpose: string) => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(32),
    info: encoder.encode(`scrubjay replicate ${purpose}`),
  })
  const sealing = await crypto.subtle.deriveKey(derived('seal'), given, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
  const placing = await crypto.subtle.deriveKey(
    derived('place'),
    given,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign'],
  )
  // Each round asks for the places of all records.
  const places = new Map<string, number>()
  const algorithm = (name: string, nonce: Uint8Array<ArrayBuffer>) => ({
    name: 'AES-GCM',
    iv: nonce,
    additionalData: encoder.encode(`scrubjay ${version} ${name}`),
  })
  return {
    async seal(name, plain) {
      const padded = new Uint8Array(paddedLength(lengthBytes + plain.length))
      new DataView(padded.buffer).setUint32(0, plain.length, true)
      padded.set(plain, lengthBytes)
      const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
      const encrypted = new Uint8Array(await crypto.subtle.encrypt(algorithm(name, nonce), sealing, padded))
      const blob = new Uint8Array(headBytes + encrypted.length)
      blob[0] = version
      blob.set(nonce, 1)
      blob.set(encrypted, headBytes)
      return blob
    },
    async open(name, encrypted) {
      if (encrypted[0] !== version || encrypted.length < headBytes) throw notOurs(name)
      const opened = await crypto.subtle
        .decrypt(algorithm(name, encrypted.slice(1, headBytes)), sealing, encrypted.slice(headBytes))
        .catch(() => Promise.reject(notOurs(name)))
      const length = opened.byteLength < lengthBytes ? Number.NaN : new DataView(opened).getUint32(0, true)
      if (!(lengthBytes + length <= opened.byteLength)) throw notOurs(name)
      return new Uint8Array(opened).slice(lengthBytes, lengthBytes + length)
    },
    async place(text) {
      const known = places.get(text)
      if (known !== undefined) return known
      const place = new Uint8Array(await crypto.subtle.sign('HMAC', placing, encoder.encode(text)))[0]!
      places.set(text, place)
      return place
    },
  }
}

const encoder = new TextEncoder()

/** The length up to the next number whose last bits are 0: at most 12 % more. */
function paddedLength(length: number): number {
  const exponent = 31 - Math.clz32(length)
  const kept = 32 - Math.clz32(exponent)
  const unit = 2 ** Math.max(0, exponent - kept)
  return Math.max(256, Math.ceil(length / unit) * unit)
}

function notOurs(name: string) {
  return recallError('INVALID_CONFIG', 'must be the key that encrypted the blobs', {
    field: 'options.key',
    hint: `The blob ${name} was encrypted with another key, or is damaged. Give the right key, or a transport to another folder. Nothing was changed.`,
  })
}
