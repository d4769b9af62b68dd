/** Reads the clauses of a record that is a short statement, once as long as the record is cached. */
import type { StoredRecord } from '../model/record.ts'
import type { Clause } from './clause.ts'
import { clausesOf } from './clauses.ts'

const known = new WeakMap<StoredRecord, readonly Clause[]>()

/** The statements of a record, read once as long as the record is cached. */
export function clausesOfRecord(record: StoredRecord): readonly Clause[] {
  const cached = known.get(record)
  if (cached !== undefined) return cached
  const { title, summary, body, kind, metadata } = record
  const isTurn = kind === 'turn'
  const role = metadata.role
  const speaker = isTurn ? (title ?? (typeof role === 'string' ? role : '')) : ''
  const clauses =
    summary !== null || body === null || (title !== null && !isTurn && body.trim() !== '' && title.trim() !== '')
      ? []
      : clausesOf(body, speaker)
  known.set(record, clauses)
  return clauses
}
