/** linked: returns the linked records of a record, strongest link first. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { Link } from '../../../src/core/model/learned.ts'
import type { Store } from '../../store/port/store.ts'
import { storedKey } from '../common/learn.ts'

export interface LinkedRequest {
  readonly id: string
  /** Most links to return. Default: all (at most 500). */
  readonly limit?: number | undefined
}

export function linked(store: Store, { id, limit }: LinkedRequest): readonly Link[] {
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1))
    throw recallError('INVALID_ARGUMENT', 'must be an integer of at least 1', {
      field: 'limit',
      value: limit,
      hint: 'Give a positive integer, or leave it out.',
    })
  const links = store.learning.linksOf(storedKey(store, id))
  return links.slice(0, limit).map(({ id: other, weight }) => ({ id: other, weight }))
}
