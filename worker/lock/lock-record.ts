/** Parses the record of a store's locks. Anyone who can write the file may have written it, so every field is checked. */
import { isPlainObject } from '../../src/core/model/plain-object.ts'
import type { StoreLock } from '../../src/core/model/lock.ts'
import { sealBytes } from '../sqlite/pages/seal.ts'
import type { Argon2Costs } from './derive-key.ts'
import { keyBytes, storeIdBytes } from './create-seal.ts'

export const lockFormat = 1

const kinds: readonly StoreLock['kind'][] = ['passphrase', 'key', 'cryptoKey', 'recoveryCode']

export interface StoredLock {
  readonly id: string
  readonly kind: StoreLock['kind']
  readonly added: number
  readonly salt: Uint8Array
  readonly argon2?: Argon2Costs
  /** The data key, encrypted with the key of the lock. */
  readonly wrapped: Uint8Array
}

export interface LockRecord {
  readonly storeId: Uint8Array
  readonly locks: readonly StoredLock[]
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

export function writeStored({ salt, wrapped, ...rest }: StoredLock): object {
  return { ...rest, salt: toHex(salt), wrapped: toHex(wrapped) }
}

function parseLock(given: unknown): StoredLock | null {
  if (!isPlainObject(given)) return null
  const { id, added, argon2 } = given
  const kind = kinds.find((known) => known === given['kind'])
  const salt = fromHex(given['salt'], 16)
  const wrapped = fromHex(given['wrapped'], keyBytes + sealBytes)
  if (typeof id !== 'string' || typeof added !== 'number') return null
  if (kind === undefined || salt === null || wrapped === null) return null
  if (argon2 === undefined) return { id, kind, added, salt, wrapped }
  if (!isPlainObject(argon2)) return null
  const { memory, passes, lanes } = argon2
  if (typeof memory !== 'number' || typeof passes !== 'number' || typeof lanes !== 'number') return null
  return { id, kind, added, salt, argon2: { memory, passes, lanes }, wrapped }
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: unknown, length: number): Uint8Array | null {
  if (typeof text !== 'string' || text.length !== 2 * length || !/^[0-9a-f]*$/.test(text)) return null
  return Uint8Array.from({ length }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16))
}
