/** Shared by the methods that write learned state: one transaction, events for its changes, and look-up of records by id. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { Durability } from '../../../src/core/model/receipts.ts'
import type { LearningChanges } from '../../store/port/learning.ts'
import type { Store } from '../../store/port/store.ts'
import { afterCommit } from './after-commit.ts'
import type { Ports } from './ports.ts'

/** The fields of each receipt of a write. */
export interface Written {
  readonly revision: number
  readonly durability: Durability
}

/** Runs `work` in one transaction. Resolves when it is durable. */
export async function learn<T>(ports: Ports, now: number, work: (changes: LearningChanges) => T): Promise<T & Written> {
  const { answer, committed } = ports.store.learn(now, work, ports.operation)
  await afterCommit(ports, committed)
  return { ...answer, revision: committed.revision, durability: ports.storage.durability }
}

/** The stored answer of this operation; null if it is new. */
export function storedAnswer({ store, storage }: Ports, operation: string | undefined): (object & Written) | null {
  const done = operation === undefined ? null : store.done(operation)
  if (done === null) return null
  return { ...(JSON.parse(done.answer) as object), revision: done.revision, durability: storage.durability }
}

/** The key of a stored record. Throws `INVALID_ARGUMENT`. */
export function storedKey(store: Store, id: unknown, field = 'id'): number {
  if (typeof id !== 'string')
    throw recallError('INVALID_ARGUMENT', 'must be a string', { field, value: id, hint: 'Give the id of a record.' })
  const key = store.keyOf(id)
  if (key !== undefined) return key
  throw recallError('INVALID_ARGUMENT', 'must be the id of a stored record', {
    field,
    value: id,
    hint: 'Put the record first.',
  })
}
