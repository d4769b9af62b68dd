/** The error of calls that need a locked store. Also in the engine of stores without locks. */
import { recallError } from '../../src/core/model/errors.ts'

export function notLockedYet(place: string) {
  return recallError('INVALID_CONFIG', 'The store is not locked', {
    value: place,
    hint: 'Close it, then call encryptStore.',
  })
}
