/** Decides whether one of two records replaces the other: by its name in `supersededBy`, or because it says otherwise of the same matter, later. */
import type { StoredRecord } from '../model/record.ts'
import type { Change } from '../model/result.ts'
import { changeOf } from './change-of.ts'
import { clausesOfRecord } from './clauses-of-record.ts'
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
