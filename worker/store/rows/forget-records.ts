/**
 * Forgets records inside the caller's transaction: rows, text index entries (by trigger), vectors, codes, links and log lines.
 * `proofOf` counts what is left, including rows without a record.
 */

import { tombstoneMark } from '../../../src/core/merge/tombstone-mark.ts'
import { costs, createPace, type Steps } from '../../scheduling/steps.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import { eraseVersions } from './versions/version-rows.ts'
import { textDeletedTrigger } from '../migrations/0001-foundation.ts'
import { wordsDeletedTrigger } from '../migrations/0007-vocabulary.ts'
import type { Committed } from '../port/committed.ts'
import { eraseEvents, type NewEvent } from './event-rows.ts'
import { writeTombstone } from './tombstone-rows.ts'
import { firstSlot, lastSlot, removeVectorsOf } from './vector-rows.ts'
import type { WriteTarget } from './write-target.ts'

export type Forgotten = Omit<Committed, 'revision'> & { readonly events: readonly NewEvent[] }

/** Leaves a tombstone of each record. */
export function* forgetKeys(
  {
    database,
    textsToDelete,
    textDeleted,
    takeStamp,
  }: Pick<WriteTarget, 'database' | 'textsToDelete' | 'textDeleted' | 'takeStamp'>,
  ids: readonly string[],
  at: number,
): Steps<Forgotten> {
  const keys = new Map<string, number>()
  for (const id of ids) {
    const key = first(database, `SELECT key FROM records WHERE id = ?`, [id], (row) => row.number(0))
    if (key !== undefined) keys.set(id, key)
  }
  addFacts(database, keys)
  textsToDelete(keys.size)
  const removing = (id: string, key: number) => {
    const life = first(database, `SELECT life FROM records WHERE key = ?`, [key], (row) => row.number(0)) ?? 0
    writeTombstone(database, tombstoneMark(id), { life, stamp: takeStamp(at) })
  }
  return yield* removeKeys(database, keys, at, { cost: costs.remove, removing, textDeleted })
}

/** Adds extracted facts whose turns are all among the keys, also facts of such facts [H5]. */
function addFacts(database: Database, keys: Map<string, number>): void {
  for (const id of keys.keys()) {
    // Most records are named by none, and a join takes ten times as long.
    if (first(database, `SELECT 1 FROM relations WHERE target = ? LIMIT 1`, [id], () => true) === undefined) continue
    const facts = all(database, factsSql, [id], (row) => ({
      id: row.text(0),
      key: row.number(1),
      metadata: row.text(2),
    }))
    for (const fact of facts) {
      if (keys.has(fact.id) || (JSON.parse(fact.metadata) as { extracted?: unknown }).extracted !== true) continue
      const sources = all(database, sourcesSql, [fact.key], (row) => row.text(0))
      if (sources.every((source) => keys.has(source))) keys.set(fact.id, fact.key)
    }
  }
}

const factsSql = `SELECT DISTINCT r.id, r.key, r.metadata FROM relations d JOIN records r ON r.key = d.key
  WHERE d.target = ? AND d.kind = 'derived_from' AND r.kind = 'fact' ORDER BY r.id`
const sourcesSql = `SELECT DISTINCT s.id FROM relations d JOIN records s ON s.id = d.target WHERE d.key = ? AND d.kind = 'derived_from'`

/**
 * Removes all records, without tombstones: another store replaces them. Emptying the text index at once is faster than removing
 * its words one by one. So the trigger that removes a record's text is dropped while the records are deleted, and so is the one
 * that counts its words.
 */
export function* forgetAll(database: Database, at: number): Steps<Forgotten> {
  const keys = new Map<string, number>()
  database.each(`SELECT id, key FROM records ORDER BY id`, [], (row) => keys.set(row.text(0), row.number(1)))
  database.execute(`INSERT INTO record_fts (record_fts) VALUES ('delete-all')`)
  database.execute(`DROP TRIGGER records_deleted`)
  database.execute(`DROP TRIGGER words_deleted`)
  database.execute(`DELETE FROM vocabulary`)
  database.execute(`DELETE FROM forms`)
  const forgotten = yield* removeKeys(database, keys, at, {
    cost: costs.insert,
    removing: () => undefined,
    textDeleted: () => undefined,
  })
  database.execute(textDeletedTrigger())
  database.execute(wordsDeletedTrigger())
  return forgotten
}

export interface Removing {
  readonly cost: number
  /** Called before a record is deleted. */
  readonly removing: (id: string, key: number) => void
  readonly textDeleted: () => void
}

/** Deletes records with all that belongs to them, and the log lines that mention them. */
export function* removeKeys(
  database: Database,
  keys: ReadonlyMap<string, number>,
  at: number,
  { cost, removing, textDeleted }: Removing,
): Steps<Forgotten> {
  // Sorted by key, because FTS5 writes out its buffer at each step back, and before each statement.
  const sorted = [...keys].sort(([, a], [, b]) => a - b)
  const removed = sorted.map(([, key]) => key)
  const pace = createPace()
  let deleted = 0
  const deleteUntil = (end: number) => {
    const some = JSON.stringify(removed.slice(deleted, end))
    removeVectorsOf(database, some)
    database.execute(`DELETE FROM records WHERE key IN (SELECT value FROM json_each(?))`, [some])
    for (; deleted < end; deleted++) textDeleted()
  }
  for (const [i, [id, key]] of sorted.entries()) {
    if (pace.isDue(cost)) {
      deleteUntil(i)
      yield i
    }
    removing(id, key)
  }
  deleteUntil(removed.length)
  const changed = [...keys.keys()]
  for (let from = 0; from < changed.length; from += linesErasedAtOnce) {
    if (from > 0) yield removed.length
    const erased = changed.slice(from, from + linesErasedAtOnce)
    eraseEvents(database, erased)
    eraseVersions(database, erased)
  }
  return { added: [], removed, changed, events: changed.map((id) => ({ kind: 'delete', id, at })) }
}

/** Ids per step whose lines are erased from the log. */
const linesErasedAtOnce = 2000

const childTables = [
  'tags',
  'files',
  'terms',
  'anchors',
  'reasons',
  'risks',
  'relations',
  'metadata_values',
  'learned',
  'cycles',
  'accesses',
  'predictions',
  'proposals',
  'event_times',
  'contradictions',
  'standing',
  'passages',
  'reports',
  'report_summaries',
]

/** Counts the rows left of an id. A forgotten id has no key any more, so all rows without a record are counted. */
export function proofOf(
  database: Database,
  id: string,
): { rows: number; fts: number; vectors: number; edges: number; events: number } {
  const count = (sql: string, bind: readonly (string | number)[] = []) =>
    first(database, sql, bind, (row) => row.number(0)) ?? 0
  const keys = all(database, `SELECT key FROM records WHERE id = ?`, [id], (row) => row.number(0))
  const withoutRecord = `NOT IN (SELECT key FROM records)`
  let rows = keys.length
  let fts = count(`SELECT count(*) FROM record_fts_docsize WHERE id ${withoutRecord}`)
  let vectors =
    count(`SELECT count(*) FROM vectors WHERE slot / 4096 ${withoutRecord}`) +
    count(`SELECT count(*) FROM vector_codes WHERE slot / 4096 ${withoutRecord}`)
  let edges = count(`SELECT count(*) FROM links WHERE key ${withoutRecord} OR other ${withoutRecord}`)
  edges += count(`SELECT count(*) FROM link_states WHERE key ${withoutRecord} OR other ${withoutRecord}`)
  rows += count(`SELECT count(*) FROM contradictions WHERE other ${withoutRecord}`)
  rows += count(`SELECT count(*) FROM versions WHERE id = ?1`, [id])
  rows += count(`SELECT count(*) FROM version_mentions WHERE id = ?1`, [id])
  for (const table of childTables) rows += count(`SELECT count(*) FROM ${table} WHERE key ${withoutRecord}`)
  for (const key of keys) {
    for (const table of childTables) rows += count(`SELECT count(*) FROM ${table} WHERE key = ?`, [key])
    fts += count(`SELECT count(*) FROM record_fts_docsize WHERE id = ?`, [key])
    vectors += count(`SELECT count(*) FROM vectors WHERE slot BETWEEN ? AND ?`, [firstSlot(key), lastSlot(key)])
    edges += count(`SELECT count(*) FROM links WHERE key = ?`, [key])
  }
  // The log may keep the line that the record was forgotten, and nothing else.
  const events =
    count(`SELECT count(*) FROM events WHERE id = ? AND kind <> 'delete'`, [id]) +
    count(`SELECT count(*) FROM events WHERE detail ->> 'other' = ?`, [id])
  return { rows, fts, vectors, edges, events }
}
