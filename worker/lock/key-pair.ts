/**
 * Wraps data keys for a lock without what opens it: each lock has a key pair (ECDH, P-256) whose secret half only the lock opens, so that a store gets a
 * new data key although the other locks are not at hand. WebCrypto computes; a page without it makes locks without a pair.
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** A point as a JWK has it: both coordinates, with a full stop between them. */
export type PublicKey = string

export const isPublicKey = (given: unknown): given is PublicKey =>
  typeof given === 'string' && /^[\w-]{43}\.[\w-]{43}$/.test(given)

/** Bytes of the secret half. */
export const secretBytes = 43

export interface KeyPair {
  readonly publicKey: PublicKey
  readonly secret: Uint8Array
}

/** Null without WebCrypto. */
export async function createPair(): Promise<KeyPair | null> {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  if (subtle === undefined) return null
  const made = await subtle.generateKey(curve, true, ['deriveBits'])
  const { x, y, d } = await subtle.exportKey('jwk', made.privateKey)
  return { publicKey: `${x}.${y}`, secret: new TextEncoder().encode(d) }
}

/** A key that only the owners of both pairs know; null: one of them cannot be read. */
export async function sharedKey({ publicKey, secret }: KeyPair, other: PublicKey, oneTime: PublicKey) {
  try {
    const own = await importKey(publicKey, new TextDecoder().decode(secret))
    const bits = await crypto.subtle.deriveBits({ name: 'ECDH', public: await importKey(other) }, own, 256)
    const salt = new TextEncoder().encode(oneTime)
    return hkdf(sha256, new Uint8Array(bits), salt, info, 32)
  } catch {
    return null
  }
}

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const info = new TextEncoder().encode('scrubjay lock 2')

function importKey(point: PublicKey, d?: string): Promise<CryptoKey> {
  const [x, y] = point.split('.') as [string, string]
  const jwk = { kty: 'EC', crv: 'P-256', x, y, ...(d === undefined ? {} : { d }) }
  return crypto.subtle.importKey('jwk', jwk, curve, false, d === undefined ? [] : ['deriveBits'])
}
