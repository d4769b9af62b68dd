/**
 * Applies an import inside the caller's transaction. When merging, of two versions of a record the one of the later life wins, then the
 * one with the greater stamp. A tombstone wins against every version of its life [R5]. Links of both sides are kept, and contradictions between versions that won.
 */

import type { Write } from '../../../src/core/ingest/plan-write.ts'
import { vectorsDigest } from '../../../src/core/ingest/vectors-digest.ts'
import { nothingLearned } from '../../../src/core/learning/apply-outcome.ts'
import { compareStamps } from '../../../src/core/merge/stamp.ts'
import { tombstoneMark } from '../../../src/core/merge/tombstone-mark.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { sha256Hex } from '../../../src/core/text/hash/sha256.ts'
import type { PortableFile } from '../../export-format/block.ts'
import type { StagedRecord } from '../../export-format/staging.ts'
import { atOnce, costOfText, costs, createPace, type Steps } from '../../scheduling/steps.ts'
import { type Database, first } from '../../sqlite/database.ts'
import type { Committed } from '../port/committed.ts'
import type { ImportCounts, ImportRequest } from '../port/transfer.ts'
import type { NewEvent } from '../rows/event-rows.ts'
import { forgetAll } from '../rows/forget-records.ts'
import { writeLearned } from '../rows/learned-rows.ts'
import { readWeight, writeLink } from '../rows/link-rows.ts'
import { canonicalBlock } from '../rows/read-block.ts'
import { readTombstone } from '../rows/tombstone-rows.ts'
import { spaceRow } from '../rows/vector-rows.ts'
import { applyWrites, type WriteTarget } from '../rows/write-records.ts'
import { applyTombstones } from './apply-tombstones.ts'
import { endContradictions, writeContradictions } from './import-contradictions.ts'
import { stampOf, storedVersion } from './stored-version.ts'

export type ImportedChanges = Omit<Committed, 'revision'> & {
  readonly events: readonly NewEvent[]
  readonly counts: ImportCounts
}

export function* applyImport(target: WriteTarget, { mode, staged, at }: ImportRequest): Steps<ImportedChanges> {
  const { database } = target
  const spaces = openSpaces(target, staged.records)
  for (const { stamp } of [...staged.records, ...staged.tombstones]) if (stamp !== null) target.seeStamp(stamp)
  const old = mode === 'replace' ? yield* removeAll(target, at) : null
  const forgotten = yield* applyTombstones(target, staged.tombstones, at)
  const added: Committed['added'][number][] = []
  const removed: number[] = [...(old?.removed ?? []), ...forgotten.removed]
  const changed = new Set<string>([...(old?.changed ?? []), ...forgotten.changed])
  const events: NewEvent[] = []
  const importedIds = new Set(staged.records.map(({ record }) => record.id))
  // A record that the import contains was not removed.
  const removals = (old?.events ?? []).filter(({ id }) => !importedIds.has(id))
  removals.push(...forgotten.events)
  events.push(...removals)
  const outcomes = { inserted: 0, updated: 0, unchanged: 0, forgotten: 0 }
  const pace = createPace()
  for (const [i, staging] of staged.records.entries()) {
    const outcome = decide(database, staging)
    if (pace.isDue(costOfImported(staging, outcome))) yield i
    outcomes[outcome]++
    if (outcome === 'inserted' || outcome === 'updated') {
      const { vectors } = staging
      const space = vectors === null ? null : (spaces.get(vectors.space) ?? null)
      const written = writeRecord({ ...target, space }, staging, outcome, at)
      // Vectors of another space are not part of the vector index.
      added.push(...written.added.map((entry) => (space === target.space ? entry : { ...entry, codes: [] })))
      removed.push(...written.removed)
      events.push(...written.events)
      changed.add(staging.record.id)
    }
  }
  const linked = yield* writeLinks(database, staged.records, at)
  for (const event of linked) changed.add(event.id)
  for (const id of yield* writeContradictions(database, staged.records)) changed.add(id)
  const files = staged.files.filter((file) => writeFile(database, file)).length
  const counts = { ...outcomes, removed: removals.length, links: linked.length, files }
  if (changed.size + files > 0) events.push(...linked, { kind: 'import', id: '', at, detail: { ...counts } })
  return { added, removed, changed: [...changed], events, counts }
}

/** An upper bound, because it is not known yet which records are stored. */
export function costOfImport({ mode, staged }: ImportRequest): number {
  // A replacing import deletes all records first.
  return mode === 'replace'
    ? Number.POSITIVE_INFINITY
    : staged.records.length * costs.insert + staged.tombstones.length * costs.remove
}

/** An unchanged record costs as much, because it was read and compared in full. */
function costOfImported({ record }: StagedRecord, outcome: ImportOutcome): number {
  const cost = outcome === 'updated' ? costs.replace : costs.insert
  return costOfText(cost, record.body?.length ?? 0)
}

/** Finds or inserts the spaces of the vectors. Throws DIMENSION_MISMATCH if a space has another length in the store. */
export function openSpaces({ database }: WriteTarget, records: readonly StagedRecord[]): ReadonlyMap<string, number> {
  const rows = new Map<string, number>()
  const dimensions = new Map<string, number>()
  for (const { vectors } of records) {
    if (vectors === null) continue
    if (!rows.has(vectors.space)) {
      const opened = spaceRow(database, { name: vectors.space, dimensions: vectors.dimensions })
      rows.set(vectors.space, opened.row)
      dimensions.set(vectors.space, opened.dimensions)
    }
    if (dimensions.get(vectors.space) === vectors.dimensions) continue
    throw recallError(
      'DIMENSION_MISMATCH',
      `must have vectors of ${dimensions.get(vectors.space)} dimensions in this space, but has vectors of ${vectors.dimensions}`,
      {
        field: 'source',
        value: vectors.space,
        hint: 'Give each embedder a different space name. Nothing was changed.',
      },
    )
  }
  return rows
}

function* removeAll({ database }: WriteTarget, at: number) {
  database.execute(`DELETE FROM file_states`)
  database.execute(`DELETE FROM tombstones`)
  const steps = forgetAll(database, at)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    // Zero, because no record of the import is written yet.
    yield 0
  }
}

type ImportOutcome = 'inserted' | 'updated' | 'unchanged' | 'forgotten'

function decide(database: Database, staging: StagedRecord): ImportOutcome {
  const { record, canonical } = staging
  const stored = storedVersion(database, record.id)
  if (stored === undefined) {
    const tombstone = readTombstone(database, tombstoneMark(record.id))
    return tombstone !== undefined && tombstone.life >= staging.life ? 'forgotten' : 'inserted'
  }
  const isNewer =
    staging.life - stored.life ||
    compareStamps(stampOf(staging.stamp, record.updatedAt), stored.stamp) ||
    record.updatedAt - stored.updatedAt ||
    compareCodePoints(record.contentHash, stored.contentHash) ||
    null
  if (isNewer !== null) return isNewer > 0 ? 'updated' : 'unchanged'
  const own = canonicalBlock(database, stored.key) ?? ''
  return own !== canonical && compareCodePoints(sha256Hex(canonical), sha256Hex(own)) > 0 ? 'updated' : 'unchanged'
}

/** Writes a record exactly as imported: text, vectors, learned state. Its stored links stay. */
export function writeRecord(target: WriteTarget, staging: StagedRecord, outcome: 'inserted' | 'updated', at: number) {
  const { record, vectors, pieces, life, isAdapted = false } = staging
  const version = { life, stamp: isAdapted ? target.takeStamp(at) : staging.stamp }
  const { createdAt, updatedAt } = record
  const prepared = {
    record,
    vectors: pieces,
    spans: vectors?.spans ?? [],
    vectorsHash:
      vectors === null ? null : vectors.made ? `text:${record.contentHash.slice(0, 16)}` : vectorsDigest(pieces),
  }
  const writes: readonly Write[] = [
    outcome === 'inserted'
      ? { kind: 'insert', prepared, createdAt, updatedAt, at, version }
      : { kind: 'replace', prepared, createdAt, updatedAt, at, version, moves: true },
  ]
  endLinks(target.database, record.id, life)
  endContradictions(target.database, staging)
  const written = atOnce(applyWrites(target, writes))
  const key = written.added[0]?.key ?? -1
  writeLearnedState(target.database, key, staging)
  return { ...written, events: written.events.map((event) => ({ ...event, at })) }
}

/** Removes the links of an earlier life: that life was forgotten elsewhere. */
function endLinks(database: Database, id: string, life: number): void {
  for (const column of ['key', 'other'])
    database.execute(`DELETE FROM links WHERE ${column} = (SELECT key FROM records WHERE id = ? AND life < ?)`, [
      id,
      life,
    ])
}

function writeLearnedState(
  database: Database,
  key: number,
  { record, learned, predictions, proposals }: StagedRecord,
): void {
  for (const table of ['learned', 'accesses', 'predictions', 'proposals'])
    database.execute(`DELETE FROM ${table} WHERE key = ?`, [key])
  const amplitudes = record.cycles.map(({ amplitude }) => amplitude)
  // Cycles that the record had before keep their learned amplitudes; the import replaces those.
  database.execute(`UPDATE cycles SET amplitude = amplitude_given WHERE key = ?`, [key])
  if (learned !== null) writeLearned(database, key, nothingLearned(amplitudes), learned)
  for (const { createdAt, expected, actual, error, resolvedAt } of predictions)
    database.execute(
      `INSERT INTO predictions (key, created_at, expected, actual, error, resolved_at) VALUES (?, ?, ?, ?, ?, ?)`,
      [key, createdAt, expected, actual, error, resolvedAt],
    )
  for (const { scope, createdAt, reason } of proposals)
    database.execute(`INSERT INTO proposals VALUES (?, ?, ?, ?)`, [scope, key, createdAt, reason])
}

/** Writes links. Of two weights the larger stays. */
function* writeLinks(database: Database, records: readonly StagedRecord[], at: number): Steps<readonly NewEvent[]> {
  const pace = createPace()
  const events: NewEvent[] = []
  const lives = new Map(records.map(({ record, life }) => [record.id, life]))
  // A link belongs to the lives of both records.
  const keyOf = (id: string) =>
    first(database, `SELECT key FROM records WHERE id = ? AND life = ?`, [id, lives.get(id) ?? 0], (row) =>
      row.number(0),
    )
  for (const { record, links } of records) {
    if (links.length === 0) continue
    const key = keyOf(record.id)
    if (key === undefined) continue
    for (const [id, weight] of links) {
      if (pace.isDue(costs.read)) yield records.length
      const other = keyOf(id)
      if (other === undefined || (readWeight(database, key, other) ?? 0) >= weight) continue
      if (writeLink(database, key, other, weight) !== weight) continue
      events.push({ kind: 'link', id: record.id, at, detail: { other: id, weight } })
    }
  }
  return events
}

/** Replaces an older state of a file; returns whether it did. */
export function writeFile(database: Database, { path, exists, sha256, mtime, git, seenAt }: PortableFile): boolean {
  const changed = database.execute(
    `INSERT INTO file_states (path, present, sha256, mtime, git, seen_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (path) DO UPDATE SET present = excluded.present, sha256 = excluded.sha256, mtime = excluded.mtime,
        git = excluded.git, seen_at = excluded.seen_at WHERE excluded.seen_at > seen_at`,
    [path, exists ? 1 : 0, sha256 ?? null, mtime ?? null, git ?? null, seenAt],
  )
  return changed > 0
}
