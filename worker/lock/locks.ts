/**
 * The keys of a store: one random data key, which each lock wraps. The record of the locks is text, and everything in it but the wrapped keys
 * is authenticated by them.
 */
import type { LockInput } from '../../src/core/model/lock.ts'
import { type Argon2Costs, areSane, argon2Costs, deriveKey, kindOf } from './derive-key.ts'
import type { OpenKeys } from './port.ts'
import { createSeal, keyBytes, storeIdBytes } from './create-seal.ts'
import { sealBytes } from '../sqlite/pages/seal.ts'
import { lockFormat, parseRecord, type StoredLock, toHex } from './lock-record.ts'

export async function createKeys(lock: LockInput): Promise<OpenKeys> {
  const storeId = randomBytes(storeIdBytes)
  const dataKey = randomBytes(keyBytes)
  const first = await wrap(dataKey, storeId, lock)
  return keysOf(dataKey, storeId, [first], first.id)
}

export async function openKeys(record: Uint8Array, lock: LockInput): Promise<OpenKeys | 'wrong' | 'newer' | 'damaged'> {
  const parsed = parseRecord(record)
  if (typeof parsed === 'string') return parsed
  for (const stored of parsed.locks) {
    if (stored.kind !== kindOf(lock) || (stored.argon2 !== undefined && !areSane(stored.argon2))) continue
    const dataKey = await unwrap(stored, parsed.storeId, lock)
    if (dataKey !== null) return keysOf(dataKey, parsed.storeId, parsed.locks, stored.id)
  }
  return 'wrong'
}

function keysOf(dataKey: Uint8Array, storeId: Uint8Array, locks: readonly StoredLock[], own: string): OpenKeys {
  return {
    seal: createSeal(dataKey, storeId),
    record() {
      const stored = locks.map(({ salt, wrapped, ...rest }) => ({
        ...rest,
        salt: toHex(salt),
        wrapped: toHex(wrapped),
      }))
      return new TextEncoder().encode(JSON.stringify({ format: lockFormat, store: toHex(storeId), locks: stored }))
    },
    list: () => locks.map(({ id, kind }) => ({ id, kind, isOwn: id === own })),
    with: async (lock) => keysOf(dataKey, storeId, [...locks, await wrap(dataKey, storeId, lock)], own),
    without: (id) =>
      locks.some((lock) => lock.id === id)
        ? keysOf(
            dataKey,
            storeId,
            locks.filter((lock) => lock.id !== id),
            own,
          )
        : null,
  }
}

/** `argon2`: of the new lock, if it is a passphrase. */
async function wrap(
  dataKey: Uint8Array,
  storeId: Uint8Array,
  lock: LockInput,
  argon2: Argon2Costs = argon2Costs,
): Promise<StoredLock> {
  const kind = kindOf(lock)
  const described = {
    id: toHex(randomBytes(4)),
    kind,
    salt: randomBytes(16),
    ...(kind === 'passphrase' ? { argon2 } : {}),
  }
  const key = await deriveKey(lock, described)
  const text = descriptionOf(described)
  const unit = new Uint8Array(text.length + keyBytes + sealBytes)
  unit.set(text)
  unit.set(dataKey, text.length)
  createSeal(key!, storeId).seal(unit, wrappedKey, text.length)
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
  if (!createSeal(key, storeId).open(unit, wrappedKey, text.length)) return null
  return unit.slice(text.length, text.length + keyBytes)
}

const wrappedKey = { kind: 'value', number: 0 } as const

function descriptionOf({ id, kind, salt, argon2 }: Omit<StoredLock, 'wrapped'>): Uint8Array {
  const costs = argon2 === undefined ? [] : [argon2.memory, argon2.passes, argon2.lanes]
  return new TextEncoder().encode(JSON.stringify([lockFormat, id, kind, toHex(salt), ...costs]))
}

function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length))
}
