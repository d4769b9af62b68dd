/** Opens the keys of a store with the lock of one opener, and refuses a lock that does not fit. Only in the file with the ciphers. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { LockInput } from '../../../src/core/model/lock.ts'
import { createKeys, openKeys } from '../../lock/locks.ts'
import type { OpenKeys } from '../../lock/port.ts'
import { damagedLocks } from './lock-errors.ts'
import type { Keyring } from './lock-port.ts'

export function createKeyring(lock: LockInput, place: string): Keyring {
  /** A passphrase takes long. The keys stay right until another owner changes the locks. */
  let opened: { readonly record: Uint8Array; readonly keys: OpenKeys } | undefined
  const keep = (record: Uint8Array, keys: OpenKeys) => {
    opened = { record, keys }
    return keys
  }
  return {
    async open(record) {
      if (opened !== undefined && isSame(opened.record, record)) return opened.keys
      return keep(record, await unlock(record, lock, place))
    },
    async create() {
      const keys = await createKeys(lock)
      return keep(keys.record(), keys)
    },
  }
}

async function unlock(record: Uint8Array, lock: LockInput, place: string): Promise<OpenKeys> {
  const keys = await openKeys(record, lock)
  if (keys === 'wrong')
    throw recallError('WRONG_KEY', 'must be a lock of this store, but it opens none of its locks', {
      field: 'lock',
      hint: 'Check the passphrase or the key. Nothing was changed.',
    })
  if (keys === 'newer')
    throw recallError('STORE_NEWER', 'The store was locked by a newer release of Scrubjay', {
      hint: 'Update this app. Nothing was changed.',
    })
  if (keys === 'damaged') throw damagedLocks(place)
  return keys
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
