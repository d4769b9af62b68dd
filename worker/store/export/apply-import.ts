/**
 * Applies an import inside the caller's transaction. When merging, of two versions of a record the one of the later life wins; versions of one
 * life are merged by field (merge-version.ts). A tombstone wins against every version of its life [R5]. What both have learned is united,
 * whichever version wins; contradictions stay between versions that won.
 */

import type { Write } from '../../../src/core/ingest/plan-write.ts'
import { vectorsDigest } from '../../../src/core/ingest/vectors-digest.ts'
import type { FieldStamps } from '../../../src/core/merge/field-stamps.ts'
import { stampsAfter } from '../../../src/core/merge/lives.ts'
import type { Stamp } from '../../../src/core/merge/stamp.ts'
import { tombstoneMark } from '../../../src/core/merge/tombstone-mark.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import type { StagedRecord } from '../../export-format/staging.ts'
import { atOnce, costOfText, costs, createPace, type Steps } from '../../scheduling/steps.ts'
import type { Database } from '../../sqlite/database.ts'
import type { Committed } from '../port/committed.ts'
import type { ImportConflict, ImportCounts, ImportRequest } from '../port/transfer.ts'
import type { NewEvent } from '../rows/event-rows.ts'
import { forgetAll } from '../rows/forget-records.ts'
import { mergeFileState } from '../rows/file-states.ts'
import { afterText } from '../rows/learned/stamp-columns.ts'
import { readTombstone } from '../rows/tombstone-rows.ts'
import { spaceRow } from '../rows/vector-rows.ts'
import { applyWrites } from '../rows/write-records.ts'
import type { WriteTarget } from '../rows/write-target.ts'
import { applyTombstones } from './apply-tombstones.ts'
import { forgetOrphanedFacts } from './orphaned-facts.ts'
import { endContradictions, writeContradictions } from './import-contradictions.ts'
import { endLearned, mergeImportedLinks, mergeLearned, stampsOf } from './import-learned.ts'
import { type MergedVersion, mergeVersion } from './merge-version.ts'
import { fieldsOf, stampOf, type StoredVersion, storedVersion } from './stored-version.ts'

export type ImportedChanges = Omit<Committed, 'revision'> & {
  readonly events: readonly NewEvent[]
  readonly counts: ImportCounts
  readonly conflicts: readonly ImportConflict[]
}

export function* applyImport(target: WriteTarget, { mode, staged, at }: ImportRequest): Steps<ImportedChanges> {
  const { database } = target
  const spaces = openSpaces(target, staged.records)
  const spaceOf = (version: StagedRecord) => {
    const name = version.vectors?.space
    if (name === undefined) return version.vectorsHash === undefined ? null : target.space
    // Of a version that keeps the stored vectors.
    return spaces.get(name) ?? openSpaces(target, [version]).get(name)!
  }
  for (const stamp of stampsOf(staged)) target.seeStamp(stamp)
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
  const conflicts: ImportConflict[] = []
  const outcomes = { inserted: 0, updated: 0, unchanged: 0, forgotten: 0 }
  const pace = createPace()
  for (const [i, staging] of staged.records.entries()) {
    const stored = storedVersion(database, staging.record.id)
    const { outcome, written: version, conflict } = decide(database, staging, stored)
    if (pace.isDue(costOfImported(staging, outcome))) yield i
    outcomes[outcome]++
    if (conflict !== null) {
      conflicts.push(conflict)
      const hash = conflict.kept === 'mine' ? staging.record.contentHash : stored!.contentHash
      events.push({ kind: 'conflict', id: staging.record.id, at, detail: { hash } })
    }
    if (version !== null) {
      const space = spaceOf(version)
      const written = writeRecord({ ...target, space }, version, stored, at)
      // Vectors of another space are not part of the vector index.
      added.push(...written.added.map((entry) => (isSearched(target, space) ? entry : { ...entry, codes: [] })))
      removed.push(...written.removed)
      events.push(...written.events)
      changed.add(staging.record.id)
    }
    if (outcome !== 'forgotten' && unite(database, staging, stored)) changed.add(staging.record.id)
  }
  const orphans = yield* forgetOrphanedFacts(target, at)
  removed.push(...orphans.removed)
  removals.push(...orphans.events)
  events.push(...orphans.events)
  for (const id of orphans.changed) changed.add(id)
  const gone = new Set(orphans.removed)
  const linked = yield* mergeImportedLinks(database, staged.records, at)
  for (const event of linked) changed.add(event.id)
  for (const id of yield* writeContradictions(database, staged.records)) changed.add(id)
  const files = forgotten.files + staged.files.filter((file) => mergeFileState(database, file)).length
  const counts = {
    ...outcomes,
    removed: removals.length,
    links: linked.length,
    files,
    conflicts: conflicts.length,
  }
  if (changed.size + files > 0) events.push(...linked, { kind: 'import', id: '', at, detail: { ...counts } })
  return {
    added: added.filter(({ key }) => !gone.has(key)),
    removed,
    changed: [...changed],
    events,
    counts,
    conflicts,
  }
}

/** Whether the vector index has the vectors of the space. */
export function isSearched({ space, standIn }: WriteTarget, of: number | null): boolean {
  return of === space || (of !== null && of === standIn)
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

interface Decision extends MergedVersion {
  readonly outcome: ImportOutcome
}

function decide(database: Database, staging: StagedRecord, stored: StoredVersion | undefined): Decision {
  const decided = (outcome: ImportOutcome, written: StagedRecord | null): Decision => ({
    outcome,
    written,
    conflict: null,
  })
  if (stored === undefined) {
    const tombstone = readTombstone(database, tombstoneMark(staging.record.id))
    const isForgotten = tombstone !== undefined && tombstone.life >= staging.life
    return isForgotten ? decided('forgotten', null) : decided('inserted', staging)
  }
  if (staging.life !== stored.life)
    return staging.life > stored.life ? decided('updated', staging) : decided('unchanged', null)
  const merged = mergeVersion(database, staging, stored)
  return { outcome: merged.written === null ? 'unchanged' : 'updated', ...merged }
}

/** Writes the version of a record exactly as imported. Learned state of an earlier life is deleted. */
export function writeRecord(target: WriteTarget, staging: StagedRecord, stored: StoredVersion | undefined, at: number) {
  const { record, vectors, chunks, adapted } = staging
  const replaced = stored?.life === staging.life ? [stored] : []
  const imported = { stamp: stampOf(staging), after: staging.after }
  const stamp = adapted === undefined ? staging.stamp : target.takeStamp(at)
  const fields = adapted === undefined || stamp === null ? staging.fields : restamped(staging, adapted, stamp)
  const version = { ...staging, stamp, fields, after: stampsAfter(stamp ?? imported.stamp, imported, ...replaced) }
  const { createdAt, updatedAt } = record
  const missing = target.space === null ? null : (staging.vectorsHash ?? null)
  const madeOf = `text:${record.contentHash.slice(0, 16)}`
  const prepared = {
    record,
    vectors: chunks,
    spans: vectors?.spans ?? [],
    vectorsHash: vectors === null ? missing : vectors.made ? madeOf : vectorsDigest(chunks),
  }
  const writes: readonly Write[] = [
    stored === undefined
      ? { kind: 'insert', prepared, createdAt, updatedAt, at, version }
      : { kind: 'replace', prepared, createdAt, updatedAt, at, version, moves: true },
  ]
  if (stored !== undefined && stored.life < staging.life) endLearned(target.database, stored.key)
  endContradictions(target.database, staging)
  const written = atOnce(applyWrites(target, writes))
  return { ...written, events: written.events.map((event) => ({ ...event, at })) }
}

/** What the import changed is a change of this store. */
function restamped(staging: StagedRecord, adapted: readonly string[], stamp: Stamp): FieldStamps {
  const { rest, named } = fieldsOf(staging)
  return { rest, named: new Map([...named, ...adapted.map((name) => [name, stamp] as const)]) }
}

/** Merges the learned state of both in the same life, and the known stamps of the stored version. Returns whether anything is new in this store. */
function unite(database: Database, staging: StagedRecord, before: StoredVersion | undefined): boolean {
  const stored = storedVersion(database, staging.record.id)
  if (stored === undefined || stored.life !== staging.life) return false
  const isLearned = mergeLearned(database, stored.key, staging)
  if (before === undefined) return isLearned
  const after = afterText(stampsAfter(stored.stamp, stored, { stamp: stampOf(staging), after: staging.after }))
  if (after === afterText(stored.after)) return isLearned
  database.execute(`UPDATE records SET after = ? WHERE key = ?`, [after, stored.key])
  return true
}
