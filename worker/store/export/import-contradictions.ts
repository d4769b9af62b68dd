/**
 * Merges pairs of records that seem to contradict each other. A pair belongs to the texts of both records, so it is kept as long as the
 * texts of both win. Then the order of merges does not matter [R2].
 */
import type { StagedRecord } from '../../export-format/staging.ts'
import { costs, createPace, type Steps } from '../../scheduling/steps.ts'
import type { Database } from '../../sqlite/database.ts'
import { mergeContradiction, removeContradictions } from '../rows/learned/contradiction-rows.ts'
import { hasSameTexts, storedVersion } from './stored-version.ts'

/** Called before an imported version replaces the stored one. */
export function endContradictions(database: Database, staging: StagedRecord): void {
  const stored = storedVersion(database, staging.record.id)
  if (stored !== undefined && !hasSameTexts(stored, staging)) removeContradictions(database, stored.key)
}

/** Called after the records are written. Returns the ids of records whose pairs changed. */
export function* writeContradictions(database: Database, records: readonly StagedRecord[]): Steps<ReadonlySet<string>> {
  const pace = createPace()
  const changed = new Set<string>()
  const staged = new Map(records.map((staging) => [staging.record.id, staging]))
  const keyOf = (id: string) => {
    const stored = storedVersion(database, id)
    return stored !== undefined && hasSameTexts(stored, staged.get(id)!) ? stored.key : null
  }
  for (const { record, contradictions } of records) {
    if (contradictions.length === 0) continue
    const key = keyOf(record.id)
    if (key === null) continue
    for (const { id, isLater, createdAt: at, reason = null, bothRight } of contradictions) {
      if (pace.isDue(costs.read)) yield records.length
      const other = keyOf(id)
      if (other === null) continue
      const rest = { at, reason, bothRight }
      const pair = isLater ? { key, other, ...rest } : { key: other, other: key, ...rest }
      if (mergeContradiction(database, pair)) changed.add(record.id)
    }
  }
  return changed
}
