/** events: returns the log of changes after a revision. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { LoggedEvent } from '../../../src/core/model/learned.ts'
import type { Store } from '../../store/port/store.ts'

/** `since`: a revision; default 0, which returns the whole log. */
export function events(store: Store, since = 0): readonly LoggedEvent[] {
  if (!(Number.isSafeInteger(since) && since >= 0))
    throw recallError('INVALID_ARGUMENT', 'must be a revision', {
      field: 'since',
      value: since,
      hint: 'Give the revision of a receipt or of status(), or leave it out.',
    })
  return store.learning.events(since)
}
