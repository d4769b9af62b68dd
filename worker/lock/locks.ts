/**
 * The keys of a store: one random data key, which each lock wraps. The record of the locks is text, and everything in it but the wrapped keys
 * is authenticated by them.
 */
import type { GivenLock, LockInput } from '../../src/core/model/lock.ts'
import { type Argon2Costs, areSane, argon2Costs, deriveKey, kindOf } from './derive-key.ts'
import type { OpenKeys } from './port.ts'
import { createSeal, keyBytes, storeIdBytes } from './create-seal.ts'
import { type Seal, sealBytes } from '../sqlite/pages/seal.ts'
import { lockFormat, parseRecord, parseStored, type StoredLock, toHex, writeStored } from './lock-record.ts'

/** `own`: the id of the lock that opened them. */
export interface Unlocked {
  readonly keys: OpenKeys
  readonly own: string
}

export async function createKeys(lock: GivenLock): Promise<Unlocked> {
  const storeId = randomBytes(storeIdBytes)
  const dataKey = randomBytes(keyBytes)
  const first = await wrap(dataKey, storeId, lock)
  return { keys: keysOf(dataKey, createSeal(dataKey, storeId), storeId, [first]), own: first.id }
}

export async function openKeys(record: Uint8Array, lock: LockInput): Promise<Unlocked | 'wrong' | 'newer' | 'damaged'> {
  const parsed = parseRecord(record)
  if (typeof parsed === 'string') return parsed
  for (const stored of parsed.locks) {
    if (stored.kind !== kindOf(lock) || (stored.argon2 !== undefined && !areSane(stored.argon2))) continue
    const dataKey = await unwrap(stored, parsed.storeId, lock)
    if (dataKey !== null)
      return {
        keys: keysOf(dataKey, createSeal(dataKey, parsed.storeId), parsed.storeId, parsed.locks),
        own: stored.id,
      }
  }
  return 'wrong'
}

/** The same keys with the locks of a later record of this store. Null: it is of another store, or damaged. */
export function withLocksOf(keys: OpenKeys, record: Uint8Array): OpenKeys | null {
  const [old, parsed] = [parseRecord(keys.record()), parseRecord(record)]
  if (typeof old === 'string' || typeof parsed === 'string' || toHex(old.storeId) !== toHex(parsed.storeId)) return null
  const without = keys.list().reduce((left, { id }) => left.without(id), keys)
  return parsed.locks.reduce<OpenKeys>((some, lock) => some.with(JSON.stringify(writeStored(lock))) ?? some, without)
}

function keysOf(
  dataKey: Uint8Array,
  seal: ReturnType<typeof createSeal>,
  storeId: Uint8Array,
  locks: readonly StoredLock[],
): OpenKeys {
  const withLocks = (others: readonly StoredLock[]) => keysOf(dataKey, seal, storeId, others)
  return {
    seal,
    record() {
      const stored = locks.map(writeStored)
      return new TextEncoder().encode(JSON.stringify({ format: lockFormat, store: toHex(storeId), locks: stored }))
    },
    list: () => locks.map(({ id, kind, added }) => ({ id, kind, added })),
    async wrap(lock) {
      const made = await wrap(dataKey, storeId, lock)
      return { id: made.id, text: JSON.stringify(writeStored(made)) }
    },
    with(text) {
      const added = parseStored(text)
      return added && withLocks([...locks.filter(({ id }) => id !== added.id), added])
    },
    without: (id) => withLocks(locks.filter((lock) => lock.id !== id)),
    wipe() {
      seal.wipe()
      dataKey.fill(0)
    },
  }
}

/** `argon2`: of the new lock, if it is a passphrase. */
async function wrap(
  dataKey: Uint8Array,
  storeId: Uint8Array,
  lock: GivenLock,
  argon2: Argon2Costs = argon2Costs,
): Promise<StoredLock> {
  const kind = kindOf(lock)
  const described = {
    id: toHex(randomBytes(4)),
    kind,
    added: lock.addedMs,
    salt: randomBytes(16),
    ...(kind === 'passphrase' ? { argon2 } : {}),
  }
  const key = await deriveKey(lock, described)
  const text = descriptionOf(described)
  const unit = new Uint8Array(text.length + keyBytes + sealBytes)
  unit.set(text)
  unit.set(dataKey, text.length)
  withSeal(key!, storeId, (seal) => seal.seal(unit, wrappedKey, text.length))
  return { ...described, wrapped: unit.slice(text.length) }
}

/** Null if the lock does not fit. */
async function unwrap(stored: StoredLock, storeId: Uint8Array, lock: LockInput): Promise<Uint8Array | null> {
  const key = await deriveKey(lock, stored)
  if (key === null) return null
  const text = descriptionOf(stored)
  const unit = new Uint8Array(text.length + stored.wrapped.length)
  unit.set(text)
  unit.set(stored.wrapped, text.length)
  const isOpen = withSeal(key, storeId, (seal) => seal.open(unit, wrappedKey, text.length))
  const dataKey = unit.slice(text.length, text.length + keyBytes)
  unit.fill(0)
  return isOpen ? dataKey : null
}

/** The key stays in memory no longer than the work. */
function withSeal<T>(key: Uint8Array, storeId: Uint8Array, work: (seal: Seal) => T): T {
  const seal = createSeal(key, storeId)
  try {
    return work(seal)
  } finally {
    seal.wipe()
    key.fill(0)
  }
}

const wrappedKey = { kind: 'value', number: 0 } as const

function descriptionOf({ id, kind, added, salt, argon2 }: Omit<StoredLock, 'wrapped'>): Uint8Array {
  const costs = argon2 === undefined ? [] : [argon2.memory, argon2.passes, argon2.lanes]
  return new TextEncoder().encode(JSON.stringify([lockFormat, id, kind, added, toHex(salt), ...costs]))
}

function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length))
}
