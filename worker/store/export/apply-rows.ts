/**
 * Makes a node's own database equal to rows of the shared store, inside the caller's transaction. Rows are applied exactly, deletions
 * included; nothing is merged. The rows of one revision fit together, so a link leads to a record that is stored or comes with it.
 */
import { linkStateFrom } from '../../../src/core/merge/portable-links.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import type { StagedRecord } from '../../export-format/staging.ts'
import { costOfText, costs, createPace, type Steps } from '../../scheduling/steps.ts'
import { type Database, first } from '../../sqlite/database.ts'
import type { Committed } from '../port/committed.ts'
import type { SharedRows } from '../port/shared-rows.ts'
import { readPortableContradictions, writeContradiction } from '../rows/learned/contradiction-rows.ts'
import type { NewEvent } from '../rows/event-rows.ts'
import { removeKeys } from '../rows/forget-records.ts'
import { readPortableLinks, writeLinkState } from '../rows/learned/link-states.ts'
import { afterText } from '../rows/learned/stamp-columns.ts'
import { exactBlock, exactly } from '../rows/read-block.ts'
import { removeTombstone, writeTombstone } from '../rows/tombstone-rows.ts'
import type { WriteTarget } from '../rows/write-target.ts'
import { isSearched, openSpaces, writeRecord } from './apply-import.ts'
import { setLearned, stampsOf } from './import-learned.ts'
import { storedVersion } from './stored-version.ts'
import { writeFileState } from '../rows/file-states.ts'

/** An upper bound, because it is not known yet which rows are equal. */
export function costOfRows({ records, removed }: SharedRows): number {
  return records.length * costs.replace + removed.records.length * costs.remove
}

export type AppliedRows = Omit<Committed, 'revision'> & { readonly events: readonly NewEvent[] }

export function* applyRows(target: WriteTarget, rows: SharedRows, at: number): Steps<AppliedRows> {
  const { database, textDeleted } = target
  const spaces = openSpaces(target, rows.records)
  for (const stamp of stampsOf(rows)) target.seeStamp(stamp)
  const keys = new Map<string, number>()
  for (const id of rows.removed.records) {
    const key = keyOf(database, id)
    if (key !== undefined) keys.set(id, key)
  }
  const removing = { cost: costs.remove, removing: () => undefined, textDeleted }
  const gone = yield* removeKeys(database, keys, at, removing)
  const added: Committed['added'][number][] = []
  const removed = [...gone.removed]
  const changed = new Set(gone.changed)
  const inserted = new Set<string>()
  const events: NewEvent[] = [...gone.events]
  const pace = createPace()
  for (const [i, staging] of rows.records.entries()) {
    const { id, body } = staging.record
    const key = keyOf(database, id)
    const isSame = key !== undefined && exactBlock(database, key) === exactly(staging.given)
    const cost = isSame ? costs.read : key === undefined ? costs.insert : costs.replace
    if (pace.isDue(costOfText(cost, body?.length ?? 0))) yield i
    if (isSame) continue
    const space = staging.vectors === null ? null : (spaces.get(staging.vectors.space) ?? null)
    const written = writeRecord({ ...target, space }, staging, storedVersion(database, id), at)
    if (key === undefined) inserted.add(id)
    setExactly(database, staging, key === undefined)
    // Vectors of another space are not part of the vector index.
    added.push(...written.added.map((entry) => (isSearched(target, space) ? entry : { ...entry, codes: [] })))
    removed.push(...written.removed)
    events.push(...written.events)
    changed.add(id)
  }
  for (const [i, staging] of rows.records.entries()) {
    if (pace.isDue(costs.read)) yield i
    const { record, links, contradictions } = staging
    // An inserted record has no pairs yet.
    if (inserted.has(record.id) && links.length + contradictions.length === 0) continue
    if (applyPairs(database, staging)) changed.add(record.id)
  }
  applySmallRows(database, rows)
  return { added, removed, changed: [...changed], events }
}

/** The known stamps and the learned state of a version are not merged here. */
function setExactly(database: Database, staging: StagedRecord, isInserted: boolean): void {
  const { record, after, reports, predictions, proposals } = staging
  const key = keyOf(database, record.id)!
  database.execute(`UPDATE records SET after = ? WHERE key = ?`, [afterText(after), key])
  // An inserted record has no learned state yet.
  if (!isInserted || reports.length + predictions.length + proposals.length > 0) setLearned(database, key, staging)
}

/** Sets links and contradictions with records of smaller ids. Returns whether any changed. */
function applyPairs(database: Database, { record: { id }, links, contradictions }: StagedRecord): boolean {
  const key = keyOf(database, id)!
  const own = readPortableLinks(database, key)
  const hasLinks = canonicalJson(own) !== canonicalJson(links)
  if (hasLinks) {
    for (const table of ['links', 'link_states'])
      for (const other of own) {
        const sql = `DELETE FROM ${table} WHERE (key, other) IN (VALUES (?1, ?2), (?2, ?1))`
        database.execute(sql, [key, keyOf(database, other.id)!])
      }
    for (const { id: other, ...link } of links) {
      const otherKey = keyOf(database, other)
      if (otherKey !== undefined) writeLinkState(database, [otherKey, key], linkStateFrom(link))
    }
  }
  const stored = readPortableContradictions(database, key, id)
  if (canonicalJson(stored) === canonicalJson(contradictions)) return hasLinks
  for (const pair of stored) {
    const other = keyOf(database, pair.id)!
    const sql = `DELETE FROM contradictions WHERE (key, other) IN (VALUES (?1, ?2), (?2, ?1))`
    database.execute(sql, [key, other])
  }
  for (const { id: otherId, isLater, createdAt, reason = null, bothRight } of contradictions) {
    const other = keyOf(database, otherId)
    if (other === undefined) continue
    const [later, earlier] = isLater ? [key, other] : [other, key]
    writeContradiction(database, { key: later, other: earlier, at: createdAt, reason, bothRight })
  }
  return true
}

function applySmallRows(database: Database, { files, tombstones, operations, removed }: SharedRows): void {
  for (const path of [...removed.files, ...files.map((file) => file.path)])
    database.execute(`DELETE FROM file_states WHERE path = ?`, [path])
  for (const file of files) writeFileState(database, file)
  for (const mark of removed.tombstones) removeTombstone(database, mark)
  for (const { mark, life, stamp } of tombstones) writeTombstone(database, mark, { life, stamp })
  for (const operation of removed.operations)
    database.execute(`DELETE FROM operations WHERE operation = ?`, [operation])
  for (const { operation, revision, at, answer } of operations)
    database.execute(`INSERT OR REPLACE INTO operations VALUES (?, ?, ?, ?)`, [operation, revision, at, answer])
}

function keyOf(database: Database, id: string): number | undefined {
  return first(database, `SELECT key FROM records WHERE id = ?`, [id], (row) => row.number(0))
}
