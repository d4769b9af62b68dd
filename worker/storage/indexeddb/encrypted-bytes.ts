/**
 * The values of a locked store in IndexedDB: each is encrypted with its key as a part of its place. The locks are two values of their own, which the
 * page log does not see. The reserve has no content and stays as it is.
 */
import { stateKeys, lockKeys } from '../../../src/protocol/store-directory.ts'
import type { OpenKeys } from '../../lock/port.ts'
import { type Seal, sealBytes } from '../../sqlite/pages/seal.ts'
import { encodeCopy, newestOf, type StoredKeys } from '../common/key-copies.ts'
import { damagedLocks, notLocked } from '../common/lock-errors.ts'
import type { Keyring, KeyRequest, UnlockedBytes } from '../common/lock-port.ts'
import type { Bytes, ByteStore } from '../common/byte-store.ts'
import { decodeState } from './log-format.ts'
import { isReserveKey } from './reserve.ts'

/** As the port of the file with the ciphers says. */
export async function unlockBytes(
  store: ByteStore,
  stored: readonly string[],
  { name, keyring, copied }: KeyRequest,
): Promise<UnlockedBytes> {
  const content = stored.filter((key) => !lockKeys.includes(key))
  const hasLocks = content.length < stored.length
  const bytes: ByteStore = { ...store, keys: async () => content }
  const opened = (keys: OpenKeys): UnlockedBytes => ({
    bytes: encrypted(bytes, keys.seal),
    keys: {
      ...keys,
      save: async (record) => writeLocks(store, record, ((await readLocks(store))?.sequence ?? 0) + 1),
    },
  })
  if (content.length === 0) {
    const keys = copied ?? (await keyring.create())
    await writeLocks(store, keys.record(), 1)
    return opened(keys)
  }
  const locks = await readLocks(store)
  if (locks === null) throw !hasLocks && (await isPlain(store)) ? notLocked(name) : damagedLocks(name)
  const keys = await keyring.open(locks.record)
  if (!locks.isEven) await writeLocks(store, locks.record, locks.sequence)
  return opened(keys)
}

/** Checks the lock of a store that another tab may have open. Writes nothing. */
export async function checkLocks(store: Pick<ByteStore, 'read'>, keyring: Keyring): Promise<void> {
  const locks = await readLocks(store)
  if (locks !== null) await keyring.open(locks.record)
}

/** Null if there are none that can be read. */
async function readLocks(store: Pick<ByteStore, 'read'>): Promise<StoredKeys | null> {
  return newestOf((await store.read(lockKeys)).filter((copy) => copy !== undefined))
}

async function writeLocks(store: ByteStore, record: Uint8Array, sequence: number): Promise<void> {
  const copy = encodeCopy(record, sequence)
  await store.write(
    lockKeys.map((key) => [key, copy]),
    [],
  )
}

/** Whether a state can be read without a key: then the store never had locks. */
async function isPlain(store: ByteStore): Promise<boolean> {
  const values = await store.read(stateKeys)
  return stateKeys.some((key, i) => decodeState(key, values[i]) !== null)
}

function encrypted(store: ByteStore, seal: Seal): ByteStore {
  return {
    keys: store.keys,
    async read(keys) {
      const values = await store.read(keys)
      return values.map((value, i) => (value === undefined ? undefined : openValue(keys[i]!, value, seal)))
    },
    write: (puts, removes) =>
      store.write(
        puts.map(([key, value]) => [key, isReserveKey(key) ? value : sealValue(key, value, seal)]),
        removes,
      ),
  }
}

function sealValue(key: string, value: Bytes, seal: Seal): Bytes {
  const name = encoder.encode(key)
  const unit = new Uint8Array(name.length + value.length + sealBytes)
  unit.set(name)
  unit.set(value, name.length)
  seal.seal(unit, place, name.length)
  return unit.slice(name.length)
}

/** Empty, which no value is, if it cannot be opened: the page log takes it for damaged. */
function openValue(key: string, value: Bytes, seal: Seal): Bytes {
  const name = encoder.encode(key)
  const unit = new Uint8Array(name.length + value.length)
  unit.set(name)
  unit.set(value, name.length)
  if (value.length < sealBytes || !seal.open(unit, place, name.length)) return new Uint8Array(0)
  return unit.slice(name.length, -sealBytes)
}

/** 0 is the place of wrapped keys. */
const place = { kind: 'value', number: 1 } as const
const encoder = new TextEncoder()
