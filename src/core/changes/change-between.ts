/** Decides whether one of two records replaces the other: by its name in `supersededBy`, or because it says otherwise of the same matter, later. */
import type { StoredRecord } from '../model/record.ts'
import type { Change } from '../model/result.ts'
import { changeOf } from './change-of.ts'
import { type Clause, clausesOf } from './clauses.ts'
import { isLater } from './is-later.ts'

/** Null if neither replaces the other. */
export function changeBetween(a: StoredRecord, b: StoredRecord): Change | null {
  if (a.supersededBy === b.id) return { earlier: a.id, later: b.id, about: '', how: 'value' }
  if (b.supersededBy === a.id) return { earlier: b.id, later: a.id, about: '', how: 'value' }
  const [earlier, later] = isLater(b, a) ? [a, b] : [b, a]
  if (!isLater(later, earlier) || !isOfOneOwner(a, b)) return null
  const found = changeOf(clausesOfRecord(earlier), clausesOfRecord(later))
  return found === null ? null : { earlier: earlier.id, later: later.id, about: found.about.join(' '), how: found.how }
}

function isOfOneOwner(a: StoredRecord, b: StoredRecord): boolean {
  return a.project === b.project && a.agent === b.agent && a.bank === b.bank
}

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
