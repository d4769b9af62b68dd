/** Wraps the data keys of a store for one lock, and unwraps them with what opens it. What describes the lock is authenticated. */
import type { GivenLock, OpeningLock } from '../../src/core/model/lock.ts'
import { type Place, type Seal, sealBytes } from '../sqlite/pages/seal.ts'
import { createSeal, keyBytes } from './create-seal.ts'
import { type Argon2Costs, argon2Costs, deriveKey, kindOf } from './derive-key.ts'
import { createPair, type KeyPair, sharedKey } from './key-pair.ts'
import { type HeldDataKeys, lockFormat, type StoredLock, type StoredPair, toHex } from './lock-record.ts'

/** `argon2`: of the new lock, if it is a passphrase. */
export async function wrapKeys(
  held: HeldDataKeys,
  lock: GivenLock,
  argon2: Argon2Costs = argon2Costs,
): Promise<StoredLock> {
  const { storeId, generation } = held
  const kind = kindOf(lock)
  const described: Described = {
    id: toHex(randomBytes(4)),
    kind,
    added: lock.addedMs,
    salt: randomBytes(16),
    ...(kind === 'passphrase' ? { argon2 } : {}),
  }
  const key = (await deriveKey(lock, described))!
  const made = await createPair()
  if (made === null) {
    const wrapped = encrypted(key, storeId, places.wrapped, textOf(described, generation), joined(held.dataKeys))
    key.fill(0)
    return { ...described, generation, wrapped }
  }
  const { publicKey } = made
  const secret = encrypted(key, storeId, places.secret, textOf(described, publicKey), made.secret)
  key.fill(0)
  const proof = encrypted(held.dataKeys[0]!, storeId, places.proof, textOf(described, publicKey), nothing)
  const pair: StoredPair = { publicKey, secret, oneTime: publicKey, proof }
  return addressedTo({ ...described, generation, wrapped: nothing, pair }, held)
}

/** The lock with these data keys, without what opens it. It must have a pair. */
export async function addressedTo(
  lock: StoredLock,
  { dataKeys, storeId, generation }: HeldDataKeys,
): Promise<StoredLock> {
  const { publicKey } = lock.pair!
  const oneTime = await createPair()
  const shared = oneTime && (await sharedKey(oneTime, publicKey, oneTime.publicKey))
  oneTime?.secret.fill(0)
  if (shared === null) throw new Error('The pair of a lock cannot be used.')
  const text = textOf(lock, generation, publicKey, oneTime!.publicKey)
  const wrapped = encrypted(shared, storeId, places.wrapped, text, joined(dataKeys))
  shared.fill(0)
  const proof = encrypted(dataKeys[0]!, storeId, places.proof, textOf(lock, publicKey), nothing)
  return { ...lock, generation, wrapped, pair: { ...lock.pair!, oneTime: oneTime!.publicKey, proof } }
}

/** Whether someone with the data key made the pair of the lock, or had it. */
export function hasProof(lock: StoredLock, { dataKeys, storeId }: HeldDataKeys): boolean {
  const { publicKey, proof } = lock.pair!
  return opened(dataKeys[0]!, storeId, places.proof, textOf(lock, publicKey), proof) !== null
}

/** The data keys, the newest first. Null: the lock does not fit. */
export async function unwrapKeys(
  stored: StoredLock,
  storeId: Uint8Array,
  lock: OpeningLock,
): Promise<readonly Uint8Array[] | null | 'damaged'> {
  const key = await deriveKey(lock, stored)
  if (key === null) return null
  const { generation, wrapped, pair } = stored
  if (pair === undefined) {
    const keys = opened(key, storeId, places.wrapped, textOf(stored, generation), wrapped)
    key.fill(0)
    return keys && parted(keys)
  }
  const { publicKey, oneTime } = pair
  const secret = opened(key, storeId, places.secret, textOf(stored, publicKey), pair.secret)
  key.fill(0)
  if (secret === null) return null
  const own: KeyPair = { publicKey, secret }
  const shared = await sharedKey(own, oneTime, oneTime)
  secret.fill(0)
  const text = textOf(stored, generation, publicKey, oneTime)
  const keys = shared && opened(shared, storeId, places.wrapped, text, wrapped)
  shared?.fill(0)
  return keys === null ? 'damaged' : parted(keys)
}

type Described = Pick<StoredLock, 'id' | 'kind' | 'added' | 'salt' | 'argon2'>

/** 1 is the place of the values in IndexedDB. */
const places = {
  wrapped: { kind: 'value', number: 0 },
  secret: { kind: 'value', number: 2 },
  proof: { kind: 'value', number: 3 },
} as const

const nothing = new Uint8Array(0)

function textOf({ id, kind, added, salt, argon2 }: Described, ...more: readonly (string | number)[]): Uint8Array {
  const costs = argon2 === undefined ? [] : [argon2.memory, argon2.passes, argon2.lanes]
  return new TextEncoder().encode(JSON.stringify([lockFormat, id, kind, added, toHex(salt), costs, ...more]))
}

/** `content` encrypted; `text` is authenticated with it. */
function encrypted(
  key: Uint8Array,
  storeId: Uint8Array,
  place: Place,
  text: Uint8Array,
  content: Uint8Array,
): Uint8Array {
  const unit = new Uint8Array(text.length + content.length + sealBytes)
  unit.set(text)
  unit.set(content, text.length)
  withSeal(key, storeId, (seal) => seal.seal(unit, place, text.length))
  return unit.slice(text.length)
}

/** Null if it was not made with this key, text and place. */
function opened(key: Uint8Array, storeId: Uint8Array, place: Place, text: Uint8Array, unit: Uint8Array) {
  const whole = new Uint8Array(text.length + unit.length)
  whole.set(text)
  whole.set(unit, text.length)
  const isOpen = withSeal(key, storeId, (seal) => seal.open(whole, place, text.length))
  const content = whole.slice(text.length, -sealBytes)
  whole.fill(0)
  return isOpen ? content : null
}

/** No copy of the key stays in memory. */
function withSeal<T>(key: Uint8Array, storeId: Uint8Array, work: (seal: Seal) => T): T {
  const seal = createSeal(key.slice(), storeId)
  try {
    return work(seal)
  } finally {
    seal.wipe()
  }
}

function joined(keys: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(keys.length * keyBytes)
  for (const [i, key] of keys.entries()) bytes.set(key, i * keyBytes)
  return bytes
}

function parted(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: bytes.length / keyBytes }, (_, i) => bytes.slice(i * keyBytes, (i + 1) * keyBytes))
}

function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length))
}
