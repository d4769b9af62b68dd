/**
 * Writes records inside the caller's transaction: record rows, child rows, vectors and their codes.
 * A record whose text or vectors change moves to a new key; rows of its learned state follow by cascade.
 */

import type { ParsedRecord } from '../../../src/core/ingest/parse-record.ts'
import type { ImportedVersion, Write } from '../../../src/core/ingest/plan-write.ts'
import { contentOf } from '../../../src/core/merge/content.ts'
import { stampsAfterPut } from '../../../src/core/merge/field-stamps.ts'
import { lifeOfPut, stampsAfter } from '../../../src/core/merge/lives.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { costOfText, costs, createPace, type Steps } from '../../scheduling/steps.ts'
import { type BindValue, first } from '../../sqlite/database.ts'
import { type Committed, netOf } from '../port/committed.ts'
import { childrenOf, insertChildren, removeChildren } from './child-rows.ts'
import type { NewEvent } from './event-rows.ts'
import { writeEventTimes } from './event-time-rows.ts'
import { removeContradictions } from './learned/contradiction-rows.ts'
import { readCycleRows } from './learned/learned-rows.ts'
import { deriveLearned, hasLearned, tellReports } from './learned/report-rows.ts'
import { afterText, fieldsText, type StoredStamps, stampSql, stampsFrom } from './learned/stamp-columns.ts'
import { readBefore } from './read-before.ts'
import { withSpace } from './pending-mark.ts'
import { childBits } from './read-records.ts'
import { writePassages } from './passage-rows.ts'
import { writeStanding } from './standing-rows.ts'
import { takeTombstones } from './tombstone-rows.ts'
import { insertVectors, moveVectors, readCodes, removeVectors } from './vector-rows.ts'
import type { WriteTarget } from './write-target.ts'

interface Changes {
  readonly added: Committed['added'][number][]
  readonly removed: number[]
  readonly changed: string[]
  readonly events: NewEvent[]
}

export function* applyWrites(target: WriteTarget, writes: readonly Write[]): Steps<Changes> {
  const changes: Changes = { added: [], removed: [], changed: [], events: [] }
  const pace = createPace()
  target.textsToDelete(writes.filter((write) => write.kind === 'replace' && write.moves).length)
  let inserts: Insert[] = []
  const insertAll = () => {
    const group = inserts
    inserts = []
    insert(target, group, changes)
  }
  for (const [i, write] of writes.entries()) {
    if (pace.isDue(costOf(write))) {
      insertAll()
      yield i
    }
    if (write.kind === 'insert') {
      inserts.push(write)
      // A given confidence takes the stamp after that of its record.
      if (inserts.length === rowsAtOnce || write.prepared.record.confidence !== null) insertAll()
      continue
    }
    insertAll()
    if (write.kind === 'replace') replace(target, write, changes)
    else {
      target.database.execute(touchSql, [write.updatedAt, write.id])
      changes.changed.push(write.id)
      changes.events.push({ kind: 'touch', id: write.id, at: write.at })
    }
  }
  insertAll()
  return netOf(changes)
}

type Insert = Write & { readonly kind: 'insert' }

/** Rows of one statement. FTS5 writes its buffer out before each statement, which costs more than indexing a short text. */
const rowsAtOnce = 20

export function costOf(write: Write): number {
  if (write.kind === 'touch') return costs.touch
  const { body, pathsText, termsText } = write.prepared.record
  const characters = (body?.length ?? 0) + (pathsText?.length ?? 0) + (termsText?.length ?? 0)
  return costOfText(write.kind === 'insert' ? costs.insert : costs.replace, characters)
}

/** Inserts new records: their rows in one statement, then what belongs to each. */
function insert(target: WriteTarget, writes: readonly Insert[], changes: Changes): void {
  if (writes.length === 0) return
  const { database } = target
  const tombstones = takeTombstones(
    database,
    writes.map(({ prepared }) => prepared.record.id),
  )
  const rows = writes.map((write, i) => {
    const { record, vectorsHash, isStandIn } = write.prepared
    const version = versionOf(target, write, lifeOfPut(tombstones[i]), [])
    const key = target.takeKey()
    const fields = rowOf(record, vectorsHash === 'keep' ? null : withSpace(target, vectorsHash, isStandIn))
    return { write, key, version, values: [key, ...fields, write.createdAt, write.updatedAt, ...versionRow(version)] }
  })
  if (rows.length === rowsAtOnce)
    database.execute(
      insertManySql,
      rows.flatMap(({ values }) => values),
    )
  else for (const { values } of rows) database.execute(insertSql, values)
  for (const { write, key, version } of rows) {
    const { prepared, createdAt, at } = write
    insertChildren(target, key, prepared.record, [], (i) => version.cycleStarts[i] ?? null)
    writeEventTimes(database, key, prepared.record, createdAt, true)
    writeStanding(database, key, prepared.record, true)
    writePassages(database, key, prepared.record.body, true)
    tellConfidence(target, key, write)
    changes.added.push({ key, codes: insertVectors(target, key, prepared) })
    changes.changed.push(prepared.record.id)
    changes.events.push({ kind: 'create', id: prepared.record.id, at })
  }
}

function replace(target: WriteTarget, write: Write & { kind: 'replace' }, changes: Changes): void {
  const { database } = target
  const { prepared } = write
  const { record } = prepared
  const stored = first(
    database,
    `SELECT key, children, vectors_hash, life, text_hash, fields, ${stampSql} FROM records WHERE id = ?`,
    [record.id],
    (row) => ({
      key: row.number(0),
      children: row.number(1),
      vectorsHash: row.textOrNull(2),
      life: row.number(3),
      textHash: row.text(4),
      fields: row.textOrNull(5),
      ...stampsFrom(row, 6),
    }),
  )
  if (stored === undefined) return insert(target, [{ ...write, kind: 'insert' }], changes)
  const cycles = (stored.children & childBits.cycles) === 0 ? [] : readCycleRows(database, stored.key)
  const before = write.version === undefined ? readBefore(database, stored, cycles) : null
  removeChildren(database, stored.key, stored.children)
  // They were about the old text.
  if (stored.textHash !== record.textHash) removeContradictions(database, stored.key)
  const key = write.moves ? target.takeKey() : stored.key
  const vectorsHash =
    prepared.vectorsHash === 'keep' ? stored.vectorsHash : withSpace(target, prepared.vectorsHash, prepared.isStandIn)
  const after = () => contentOf({ ...record, createdAt: write.createdAt })
  const made = versionOf(target, write, stored.life, [stored])
  const isVectors = vectorsHash !== stored.vectorsHash
  const version = before === null ? made : { ...made, fields: stampsAfterPut(before, after(), made.stamp!, isVectors) }
  const fields = [...rowOf(record, vectorsHash), write.createdAt, write.updatedAt, ...versionRow(version)]
  if (write.moves) database.execute(moveSql, [key, ...fields, record.id])
  else database.execute(updateSql, [...fields, record.id])
  const { cycleStarts, stamp } = version
  insertChildren(target, key, record, write.version === undefined ? cycles : [], (i, { amplitude }) =>
    write.version === undefined && stamp !== null ? { amplitude, stamp } : (cycleStarts[i] ?? null),
  )
  writeEventTimes(database, key, record, write.createdAt)
  writeStanding(database, key, record)
  if (write.moves) writePassages(database, key, record.body)
  tellConfidence(target, key, write)
  // Its decay clock starts again, and an import may have brought other cycles.
  if (hasLearned(database, key)) deriveLearned(database, key)
  changes.changed.push(record.id)
  changes.events.push({ kind: 'update', id: record.id, at: write.at })
  if (!write.moves) return
  changes.removed.push(stored.key)
  target.textDeleted()
  if (prepared.vectorsHash === 'keep') {
    moveVectors(database, stored.key, key)
    const spaces = new Set([target.space, target.standIn])
    const codes = [...spaces].flatMap((space) => (space === null ? [] : readCodes(database, key, space)))
    changes.added.push({ key, codes })
  } else {
    removeVectors(database, stored.key)
    changes.added.push({ key, codes: insertVectors(target, key, prepared) })
  }
}

/** The columns that derive from the caller's fields, in one order for insert, move and update. */
const fieldColumns = [
  'id',
  'kind',
  'project',
  'topic',
  'agent',
  'bank',
  'session',
  'position',
  'status',
  'superseded_by',
  'valid_from',
  'valid_until',
  'expires_at',
  'occurred_at',
  'language',
  'importance',
  'pressure_rate',
  'write_score',
  'exit_code',
  'source',
  'authority',
  'authority_tier',
  'profile',
  'content_hash',
  'fields_hash',
  'text_hash',
  'vectors_hash',
  'indexed',
  'children',
  'metadata',
] as const
const textColumns = ['title', 'summary', 'instruction', 'command', 'paths', 'terms', 'body'] as const
const timeColumns = ['created_at', 'updated_at'] as const
const versionColumns = ['life', 'stamp_at', 'stamp_count', 'stamp_device', 'changed_at', 'after', 'fields'] as const

const insertColumns = ['key', ...fieldColumns, ...textColumns, ...timeColumns, ...versionColumns]
const insertSql = insertOf(1)
const insertManySql = insertOf(rowsAtOnce)
const moveSql = `UPDATE records SET ${insertColumns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`
// Without the text columns, because naming them would run their trigger although the text stays the same.
const updatedColumns = [...fieldColumns, ...timeColumns, ...versionColumns]
const updateSql = `UPDATE records SET ${updatedColumns.map((column) => `${column} = ?${insertColumns.indexOf(column)}`).join(', ')} WHERE id = ?${insertColumns.length}`
/** Another time of a version without a stamp would change the stamp that follows from it. */
const touchSql = `UPDATE records SET changed_at = ifnull(changed_at, updated_at), stamp_at = ifnull(stamp_at, updated_at), stamp_count = ifnull(stamp_count, 0),
  stamp_device = ifnull(stamp_device, ''), updated_at = ? WHERE id = ?`

function insertOf(rows: number): string {
  const row = `(${insertColumns.map(() => '?').join(', ')})`
  return `INSERT INTO records (${insertColumns.join(', ')}) VALUES ${Array.from({ length: rows }, () => row).join(', ')}`
}

/** An imported version stays as it is. Any other takes a stamp, and knows the versions that it replaces. */
function versionOf(
  { takeStamp }: WriteTarget,
  { at, version }: Exclude<Write, { kind: 'touch' }>,
  life: number,
  replaced: readonly StoredStamps[],
): ImportedVersion {
  if (version !== undefined) return version
  const stamp = takeStamp(at)
  return { life, stamp, changedAt: null, after: stampsAfter(stamp, ...replaced), fields: null, cycleStarts: [] }
}

/** The values of `versionColumns`. */
function versionRow({ life, stamp, changedAt, after, fields }: ImportedVersion): BindValue[] {
  const { at = null, count = null, device = null } = stamp ?? {}
  return [life, at, count, device, changedAt, afterText(after), fieldsText(fields, stamp)]
}

/** A confidence that the caller gives is a report like others. */
function tellConfidence(target: WriteTarget, key: number, { prepared, at }: Exclude<Write, { kind: 'touch' }>): void {
  const { confidence } = prepared.record
  if (confidence === null) return
  tellReports(target.database, key, [{ effect: { kind: 'confidence', confidence } }], () => target.takeStamp(at))
}

function rowOf(record: ParsedRecord, vectorsHash: string | null): BindValue[] {
  return [
    record.id,
    record.kind,
    record.project,
    record.topic,
    record.agent,
    record.bank,
    record.session,
    record.position,
    record.status,
    record.supersededBy,
    record.validFrom,
    record.validUntil,
    record.expiresAt,
    record.occurredAt,
    record.language,
    record.importance,
    record.pressureRate,
    record.writeScore,
    record.exitCode,
    record.source,
    record.authority,
    record.authorityTier,
    record.profile,
    record.contentHash,
    record.fieldsHash,
    record.textHash,
    vectorsHash,
    record.indexed ? 1 : 0,
    childrenOf(record),
    canonicalJson(record.metadata),
    record.title,
    record.summary,
    record.instruction,
    record.command,
    record.pathsText,
    record.termsText,
    record.body,
  ]
}
