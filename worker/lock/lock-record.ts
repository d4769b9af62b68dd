/** Parses the record of a store's locks. Anyone who can write the file may have written it, so every field is checked. */

import type { StoreLock } from '../../src/core/model/lock.ts'
import { isPlainObject } from '../../src/core/model/plain-object.ts'
import { sealBytes } from '../sqlite/pages/seal.ts'
import { keyBytes, storeIdBytes } from './create-seal.ts'
import type { Argon2Costs } from './derive-key.ts'
import { isPublicKey, type PublicKey, secretBytes } from './key-pair.ts'

export const lockFormat = 1

const kinds: readonly StoreLock['kind'][] = ['passphrase', 'key', 'cryptoKey', 'recoveryCode', 'passkey']

export interface StoredLock {
  readonly id: string
  readonly kind: StoreLock['kind']
  readonly added: number
  readonly salt: Uint8Array
  readonly argon2?: Argon2Costs
  /** Grows by one when the data keys change. The locks of a store have the same one. */
  readonly generation: number
  /** The data keys, encrypted for the lock: one, or the new and the old one of a store that is being encrypted again. */
  readonly wrapped: Uint8Array
  /** Absent: the lock was added without WebCrypto, and its own key encrypts the data key. */
  readonly pair?: StoredPair
}

export interface StoredPair {
  readonly publicKey: PublicKey
  /** The secret half, encrypted with the key of the lock. */
  readonly secret: Uint8Array
  /** The public half of the pair that was drawn to wrap the data keys. */
  readonly oneTime: PublicKey
  /** Made with the data key: someone who cannot open the store cannot exchange the pair. */
  readonly proof: Uint8Array
}

export interface LockRecord {
  readonly storeId: Uint8Array
  readonly locks: readonly StoredLock[]
}

/** The data keys of a store, the newest first, and which of them it has had. */
export interface HeldDataKeys {
  readonly dataKeys: readonly Uint8Array[]
  readonly storeId: Uint8Array
  readonly generation: number
}

export function parseRecord(record: Uint8Array): LockRecord | 'newer' | 'damaged' {
  let given: unknown
  try {
    given = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(record))
  } catch {
    return 'damaged'
  }
  if (!isPlainObject(given)) return 'damaged'
  const { format, store, locks } = given
  if (typeof format === 'number' && format > lockFormat) return 'newer'
  const storeId = fromHex(store, storeIdBytes)
  if (format !== lockFormat || storeId === null || !Array.isArray(locks)) return 'damaged'
  const parsed = locks.map(parseLock)
  return parsed.includes(null) ? 'damaged' : { storeId, locks: parsed as StoredLock[] }
}

/** A stored lock from its text; null if it is none. */
export function parseStored(text: string): StoredLock | null {
  try {
    return parseLock(JSON.parse(text))
  } catch {
    return null
  }
}

export function writeStored({ salt, wrapped, pair, ...rest }: StoredLock): object {
  const written = pair && { ...pair, secret: toHex(pair.secret), proof: toHex(pair.proof) }
  return { ...rest, salt: toHex(salt), wrapped: toHex(wrapped), pair: written }
}

function parseLock(given: unknown): StoredLock | null {
  if (!isPlainObject(given)) return null
  const { id, added, argon2 } = given
  const kind = kinds.find((known) => known === given['kind'])
  const salt = fromHex(given['salt'], 16)
  const [one, two] = [1, 2].map((keys) => fromHex(given['wrapped'], keys * keyBytes + sealBytes))
  const wrapped = one ?? two ?? null
  const { generation } = given
  const pair = parsePair(given['pair'])
  if (typeof id !== 'string' || typeof added !== 'number' || !Number.isSafeInteger(generation)) return null
  if (kind === undefined || salt === null || wrapped === null || pair === null) return null
  const parsed = { id, kind, added, salt, generation: generation as number, wrapped, ...(pair && { pair }) }
  if (argon2 === undefined) return parsed
  if (!isPlainObject(argon2)) return null
  const { memory, passes, lanes } = argon2
  if (typeof memory !== 'number' || typeof passes !== 'number' || typeof lanes !== 'number') return null
  return { ...parsed, argon2: { memory, passes, lanes } }
}

/** Null: it is none; undefined: there is none. */
function parsePair(given: unknown): StoredPair | null | undefined {
  if (given === undefined) return undefined
  if (!isPlainObject(given)) return null
  const { publicKey, oneTime } = given
  const secret = fromHex(given['secret'], secretBytes + sealBytes)
  const proof = fromHex(given['proof'], sealBytes)
  return isPublicKey(publicKey) && isPublicKey(oneTime) && secret && proof
    ? { publicKey, secret, oneTime, proof }
    : null
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: unknown, length: number): Uint8Array | null {
  if (typeof text !== 'string' || text.length !== 2 * length || !/^[0-9a-f]*$/.test(text)) return null
  return Uint8Array.from({ length }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16))
}
