/** Opens the keys of a store in a file: reads its key area, and refuses a lock that does not fit. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { LockInput } from '../../../src/core/model/lock.ts'
import { loadLock } from '../../lock/load-lock.ts'
import type { OpenKeys } from '../../lock/port.ts'
import type { Disk } from './disk.ts'
import { checkParts } from './check-parts.ts'
import { hasSealedRevision } from './locked-disk.ts'
import { readParts } from './read-parts.ts'
import { type KeyArea, readKeyArea, writeKeyArea } from './key-area.ts'

/** Opens the keys of one file for one opener. */
export interface Unlocker {
  /** Throws LOCKED, WRONG_KEY or STORE_CORRUPT if the file cannot be opened with the lock. Writes nothing. */
  check(): Promise<void>
  /** As `check`. Locks a new file. Null: the file is not locked. The caller owns the file. */
  open(): Promise<OpenKeys | null>
}

export function createUnlocker(disk: Disk, path: string, lock: LockInput | undefined): Unlocker {
  /** A passphrase takes long. The keys stay right until another owner changes the locks. */
  let opened: { readonly area: KeyArea; readonly keys: OpenKeys } | undefined
  const keysIn = async (area: KeyArea): Promise<OpenKeys> => {
    if (opened !== undefined && isSame(opened.area.record, area.record)) return opened.keys
    const keys = await unlock(area.record, lock, path)
    opened = { area, keys }
    return keys
  }
  const read = () => {
    const area = readKeyArea(disk, path)
    if (area === 'damaged') throw damaged(path)
    if (area === null && lock !== undefined) throw isOpen(path)
    return area
  }
  return {
    async check() {
      const area = read()
      if (area !== null && area !== 'empty') await keysIn(area)
    },
    async open() {
      const area = read()
      if (area === null || (area === 'empty' && lock === undefined)) return null
      if (area !== 'empty') {
        const keys = await keysIn(area)
        if (!area.isEven) writeKeyArea(disk, path, area.record, area.sequence)
        return keys
      }
      // A journal or a revision without its file: nothing is written next to them.
      checkParts({ ...readParts(disk, path), note: null }, path, hasSealedRevision(disk, path))
      const keys = await (await loadLock()).createKeys(lock!)
      writeKeyArea(disk, path, keys.record(), 1)
      return keys
    },
  }
}

async function unlock(record: Uint8Array, lock: LockInput | undefined, path: string): Promise<OpenKeys> {
  if (lock === undefined)
    throw recallError('LOCKED', 'The store is locked', {
      value: path,
      hint: 'Open it with the option lock: a passphrase or key that was set for it.',
    })
  const { openKeys } = await loadLock()
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
  if (keys === 'damaged') throw damaged(path)
  return keys
}

function damaged(path: string) {
  return recallError('STORE_CORRUPT', 'The locks of the file are damaged', {
    value: path,
    hint: 'Restore the file from a copy or an export: without its locks nothing in it can be read. Nothing was changed.',
  })
}

function isOpen(path: string) {
  return recallError('INVALID_CONFIG', 'must be absent, because the store in this file is not locked', {
    field: 'lock',
    // The path, never the lock.
    value: path,
    hint: 'Leave it out. To lock the records, export them and import them into a new store with a lock.',
  })
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
