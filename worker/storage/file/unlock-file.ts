/** Opens the keys of a store in a file: reads its key area, and refuses a lock that does not fit. */
import type { HeldKeys, OpenKeys } from '../../lock/port.ts'
import type { Keyring } from '../common/lock-port.ts'
import { damagedLocks, lockedStore, notLocked } from '../common/lock-errors.ts'
import type { Disk } from './disk.ts'
import { checkParts } from './check-parts.ts'
import { hasSealedRevision, syncRevision } from './locked-disk.ts'
import { readParts } from './read-parts.ts'
import { readKeyArea, writeKeyArea } from './key-area.ts'

/** Opens the keys of one file for one opener. */
export interface Unlocker {
  /** Throws LOCKED, WRONG_KEY or STORE_CORRUPT if the file cannot be opened with the lock. Writes nothing. */
  check(): Promise<void>
  /** As `check`. Locks a new file. Null: the file is not locked. The caller owns the file. */
  open(): Promise<HeldKeys | null>
}

/** `keyring`: undefined if the opener gave no lock. */
export function createUnlocker(disk: Disk, path: string, keyring: Keyring | undefined): Unlocker {
  const openKeys = async (record: Uint8Array) => {
    if (keyring === undefined) throw lockedStore(path)
    return keyring.open(record)
  }
  const read = () => {
    const area = readKeyArea(disk, path)
    if (area === 'damaged') throw damagedLocks(path)
    if (area === null && keyring !== undefined) throw notLocked(path)
    return area
  }
  const held = (keys: OpenKeys): HeldKeys => ({
    ...keys,
    save(record) {
      // It may be encrypted with a new key since it was last synced.
      syncRevision(disk, path)
      const area = read()
      writeKeyArea(disk, path, record, area !== null && area !== 'empty' ? area.sequence + 1 : 1)
    },
  })
  return {
    async check() {
      const area = read()
      if (area !== null && area !== 'empty') await openKeys(area.record)
    },
    async open() {
      const area = read()
      if (area === null) return null
      if (area !== 'empty') {
        const keys = await openKeys(area.record)
        if (!area.isEven) writeKeyArea(disk, path, area.record, area.sequence)
        return held(keys)
      }
      if (keyring === undefined) return null
      // A journal or a revision without its file: nothing is written next to them.
      checkParts({ ...readParts(disk, path), note: null }, path, hasSealedRevision(disk, path))
      const keys = await keyring.create()
      writeKeyArea(disk, path, keys.record(), 1)
      return held(keys)
    },
  }
}
