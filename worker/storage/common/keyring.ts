/** Opens the keys of a store with the lock of one opener, and refuses a lock that does not fit. Only in the file with the ciphers. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { GivenLock } from '../../../src/core/model/lock.ts'
import { createKeys, openKeys, type Unlocked, withLocksOf } from '../../lock/locks.ts'
import type { OpenKeys } from '../../lock/port.ts'
import { damagedLocks } from './lock-errors.ts'
import type { Keyring } from './lock-port.ts'

export function createKeyring(lock: GivenLock, place: string): Keyring {
  /** A passphrase takes long. The keys stay right until another owner changes the locks. */
  let opened: (Unlocked & { readonly record: Uint8Array }) | undefined
  /** Also the keys before the store got a new one, which a storage may have. */
  const all = new Set<OpenKeys>()
  const keep = (record: Uint8Array, { keys, own }: Unlocked) => {
    opened = { record, keys, own }
    all.add(keys)
    return keys
  }
  const open: Keyring['open'] = async (record) => {
    if (opened !== undefined && isSame(opened.record, record)) return opened.keys
    // Another opener changed the locks, perhaps this one: what is open stays open.
    const later = opened && withLocksOf(opened.keys, record)
    return keep(record, later ? { keys: later, own: opened!.own } : await unlock(record, lock, place))
  }
  return {
    open,
    async create() {
      const made = await createKeys(lock)
      return keep(made.keys.record(), made)
    },
    async openOther(record) {
      const other = await openKeys(record, lock)
      return typeof other === 'string' ? null : other.keys
    },
    own: () => opened?.own ?? null,
    async check(record, given) {
      ;(await unlock(record, given, place)).keys.wipe()
    },
    idleMs: lock.idleMs ?? null,
    wipe() {
      for (const keys of all) keys.wipe()
      all.clear()
      opened = undefined
      if ('key' in lock) lock.key.fill(0)
      if ('prf' in lock) lock.prf.fill(0)
    },
  }
}

async function unlock(record: Uint8Array, lock: GivenLock, place: string): Promise<Unlocked> {
  const unlocked = await openKeys(record, lock)
  if (unlocked === 'wrong')
    throw recallError('WRONG_KEY', 'must be a lock of this store, but it opens none of its locks', {
      field: 'lock',
      hint: 'Check the passphrase or the key. Nothing was changed.',
    })
  if (unlocked === 'newer')
    throw recallError('STORE_NEWER', 'The store was locked by a newer release of Scrubjay', {
      hint: 'Update this app. Nothing was changed.',
    })
  if (unlocked === 'damaged') throw damagedLocks(place)
  return unlocked
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
