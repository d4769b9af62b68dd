/** The errors of stores whose locks do not fit what the opener gave. No message holds a passphrase or a key. `place`: the name or the path of the store. */
import { recallError } from '../../../src/core/model/errors.ts'

export function lockedStore(place: string) {
  return recallError('LOCKED', 'The store is locked', {
    value: place,
    hint: 'Open it with the option lock: a passphrase or key that was set for it.',
  })
}

export function damagedLocks(place: string) {
  return recallError('STORE_CORRUPT', 'The locks of the store are damaged', {
    value: place,
    hint: 'Restore a copy or an export: without its locks nothing in it can be read. Nothing was changed.',
  })
}

/** The error for a lock that was given for a store without one. */
export function notLocked(place: string) {
  return recallError('INVALID_CONFIG', 'must be absent, because this store is not locked', {
    field: 'lock',
    value: place,
    hint: 'Leave it out. To lock the store, close it and call encryptStore.',
  })
}
