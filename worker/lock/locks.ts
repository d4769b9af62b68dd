/**
 * The keys of a store: one random data key, which each lock wraps; a second one while the store is encrypted again. The record of the locks is text, and
 * everything in it but the wrapped keys is authenticated by them.
 */

import { recallError } from '../../src/core/model/errors.ts'
import type { GivenLock, OpeningLock } from '../../src/core/model/lock.ts'
import { createSeal, type KeyedSeal, keyBytes, storeIdBytes } from './create-seal.ts'
import { areSane, kindOf } from './derive-key.ts'
import {
  type HeldDataKeys,
  lockFormat,
  parseRecord,
  parseStored,
  type StoredLock,
  toHex,
  writeStored,
} from './lock-record.ts'
import type { OpenKeys } from './port.ts'
import { addressedTo, hasProof, unwrapKeys, wrapKeys } from './wrap-keys.ts'

/** `own`: the id of the lock that opened them. */
export interface Unlocked {
  readonly keys: OpenKeys
  readonly own: string
}

export async function createKeys(lock: GivenLock): Promise<Unlocked> {
  const storeId = randomBytes(storeIdBytes)
  const dataKeys = [randomBytes(keyBytes)]
  const first = await wrapKeys({ dataKeys, storeId, generation: 0 }, lock)
  return {
    keys: keysOf({ dataKeys, storeId, generation: 0 }, createSeal(dataKeys[0]!, storeId), [first]),
    own: first.id,
  }
}

export async function openKeys(
  record: Uint8Array,
  lock: OpeningLock,
): Promise<Unlocked | 'wrong' | 'newer' | 'damaged'> {
  const parsed = parseRecord(record)
  if (typeof parsed === 'string') return parsed
  const { storeId, locks } = parsed
  for (const stored of locks) {
    if (stored.kind !== kindOf(lock) || (stored.argon2 !== undefined && !areSane(stored.argon2))) continue
    const dataKeys = await unwrapKeys(stored, storeId, lock)
    if (dataKeys === 'damaged') return dataKeys
    if (dataKeys === null) continue
    const [newest, ...earlier] = dataKeys as [Uint8Array, ...Uint8Array[]]
    const held = { dataKeys, storeId, generation: stored.generation }
    return { keys: keysOf(held, createSeal(newest, storeId, earlier), locks), own: stored.id }
  }
  return 'wrong'
}

/** The same keys with the locks of a later record of this store. Null: it is of another store, has other data keys, or is damaged. */
export function withLocksOf(keys: OpenKeys, record: Uint8Array): OpenKeys | null {
  const [old, parsed] = [parseRecord(keys.record()), parseRecord(record)]
  if (typeof old === 'string' || typeof parsed === 'string' || toHex(old.storeId) !== toHex(parsed.storeId)) return null
  const without = keys.list().reduce((left, { id }) => left.without(id), keys)
  return parsed.locks.reduce<OpenKeys | null>((some, lock) => some && some.with(textOf(lock)), without)
}

function keysOf(held: HeldDataKeys, seal: KeyedSeal, locks: readonly StoredLock[]): OpenKeys {
  const { dataKeys, storeId, generation } = held
  const isRenewing = dataKeys.length > 1
  const withLocks = (others: readonly StoredLock[]) => keysOf(held, seal, others)
  return {
    seal,
    isRenewing,
    record() {
      const stored = locks.map(writeStored)
      return new TextEncoder().encode(JSON.stringify({ format: lockFormat, store: toHex(storeId), locks: stored }))
    },
    list: () => locks.map(({ id, kind, added }) => ({ id, kind, added })),
    async wrap(lock) {
      const made = await wrapKeys(held, lock)
      return { id: made.id, text: textOf(made) }
    },
    with(text) {
      const added = parseStored(text)
      if (added?.generation !== generation) return null
      return withLocks([...locks.filter(({ id }) => id !== added.id), added])
    },
    without: (id) => withLocks(locks.filter((lock) => lock.id !== id)),
    async renew() {
      const [newest, ...earlier] = dataKeys as [Uint8Array, ...Uint8Array[]]
      const next = isRenewing ? [newest] : [randomBytes(keyBytes), newest]
      const renewed = { dataKeys: next, storeId, generation: generation + 1 }
      const addressed: StoredLock[] = []
      for (const lock of locks) {
        if (lock.pair === undefined) throw withoutPair(lock.id)
        if (!hasProof(lock, held)) throw exchanged(lock.id)
        addressed.push(await addressedTo(lock, renewed))
      }
      return {
        keys: keysOf(renewed, seal, addressed),
        apply() {
          if (!isRenewing) return seal.add(next[0]!)
          seal.keepNewest()
          for (const key of earlier) key.fill(0)
        },
      }
    },
    wipe() {
      seal.wipe()
      for (const key of dataKeys) key.fill(0)
    },
  }
}

const textOf = (lock: StoredLock) => JSON.stringify(writeStored(lock))

function withoutPair(id: string) {
  return recallError('INVALID_CONFIG', 'must be absent, because a lock of the store was added without WebCrypto', {
    field: 'newKey',
    value: id,
    hint: 'Add a lock in a secure page, remove this one with keys.remove, then try again. Nothing was changed.',
  })
}

function exchanged(id: string) {
  return recallError('STORE_CORRUPT', 'A lock of the store was exchanged by someone who cannot open it', {
    value: id,
    hint: 'Remove it with keys.remove, then try again. Nothing was changed.',
  })
}

function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length))
}
