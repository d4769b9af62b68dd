/** Finds records without vectors in a space, and stores vectors for them later. */

import { pendingVectors } from '../../../src/core/ingest/plan-write.ts'
import { costs, createPace, type Steps } from '../../scheduling/steps.ts'
import { above } from '../../scheduling/stored-order.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import type { Committed } from '../port/committed.ts'
import type { LackingKind, NewVectors, UnembeddedRow } from '../port/vectors.ts'
import { markPending, withSpace } from './pending-mark.ts'
import { insertVectors, removeVectors } from './vector-rows.ts'
import type { WriteTarget } from './write-target.ts'

/** No vectors, or vectors of another space: a digest begins with the row number of its space. */
const lacking = `(vectors_hash IS NULL OR substr(vectors_hash, 1, length(?1) + 1) <> ?1 || ':')`

const waiting = `vectors_hash = '${pendingVectors}'`

/** At the end of a digest: these vectors of another space stay. */
export const keptMark = ':kept'

/** Whether a digest is of vectors that an embedder made of the text in the space of this row. */
const standing = `substr(vectors_hash, 1, length(?4) + 6) = ?4 || ':text:'`
const isKept = `substr(vectors_hash, -${keptMark.length}) = '${keptMark}'`

const conditions: Readonly<Record<LackingKind, string>> = {
  lacking: `${lacking} AND NOT (?4 <> '' AND ${standing} AND ${isKept} AND vectors_hash IS NOT NULL)`,
  pending: waiting,
  standIn: `?4 <> '' AND ${standing} AND NOT ${isKept}`,
}

/** The rows of a space and of the one of stand-in vectors. */
export interface SpaceRows {
  readonly space: number
  readonly standIn: number | null
}

/** By key, starting after `after`. */
export function readUnembedded(
  database: Database,
  { space, standIn }: SpaceRows,
  after: number,
  limit: number,
  which: LackingKind,
): UnembeddedRow[] {
  const rows = all(
    database,
    `SELECT key, id, content_hash, title, summary, body, instruction, command FROM records
      WHERE (${conditions[which]}) AND key > ?2 AND ?1 = ?1 AND ?4 = ?4 ORDER BY key LIMIT ?3`,
    [String(space), after, limit, standIn === null ? '' : String(standIn)],
    (row) => ({
      key: row.number(0),
      id: row.text(1),
      contentHash: row.text(2),
      title: row.textOrNull(3),
      summary: row.textOrNull(4),
      body: row.textOrNull(5),
      instruction: row.textOrNull(6),
      command: row.textOrNull(7),
    }),
  )
  rows.reduce((before, { key }) => above(before, key), after)
  return rows
}

export function countUnembedded(database: Database, { space, standIn }: SpaceRows): number {
  const sql = `SELECT count(*) FROM records WHERE (${conditions.lacking}) AND ?2 = ?3`
  const bind = [String(space), 0, 0, standIn === null ? '' : String(standIn)]
  return first(database, sql, bind, (row) => row.number(0)) ?? 0
}

/**
 * Removes the vectors that an embedder made from texts in this space, inside the caller's transaction, and marks their records as pending.
 * Vectors that the app gave stay.
 */
export function makeVectorsAgain(database: Database, spaceName: string): void {
  const space = first(database, `SELECT space FROM spaces WHERE name = ?`, [spaceName], (row) => row.number(0))
  if (space === undefined) return
  const fromText = `substr(vectors_hash, 1, length(?1)) = ?1`
  const digests = `${space}:text:`
  const keys = all(database, `SELECT key FROM records WHERE ${fromText}`, [digests], (row) => row.number(0))
  if (keys.length === 0) return
  for (const key of keys) removeVectors(database, key)
  database.execute(`UPDATE records SET vectors_hash = '${pendingVectors}' WHERE ${fromText}`, [digests])
  markPending(database)
}

/**
 * Runs inside the caller's transaction. Skips records that changed or got vectors in the meantime. `updatedAt` does not change.
 * `waited`: how many of the records were pending.
 */
export function* writeNewVectors(
  target: WriteTarget,
  entries: readonly NewVectors[],
  as: 'own' | 'standIn',
): Steps<Omit<Committed, 'revision'> & { readonly waited: number }> {
  const { database, space } = target
  const isStandIn = as === 'standIn'
  const condition = isStandIn ? `${waiting} AND ?1 = ?1` : lacking
  const added: Committed['added'][number][] = []
  const removed: number[] = []
  const changed: string[] = []
  let waited = 0
  const pace = createPace()
  for (const [i, { id, contentHash, vectors, spans, vectorsHash }] of entries.entries()) {
    if (pace.isDue(costs.replace)) yield i
    const match = first(
      database,
      `SELECT key, ${waiting} FROM records WHERE ${condition} AND id = ?2 AND content_hash = ?3`,
      [String(space), id, contentHash],
      (row) => ({ key: row.number(0), waited: row.number(1) }),
    )
    if (match === undefined) continue
    const { key: old } = match
    waited += match.waited
    const key = target.takeKey()
    removeVectors(database, old)
    // A new version of text or vectors needs a new key. Child rows follow by ON UPDATE CASCADE.
    database.execute(`UPDATE records SET key = ?, vectors_hash = ? WHERE key = ?`, [
      key,
      withSpace(target, vectorsHash, isStandIn),
      old,
    ])
    added.push({ key, codes: insertVectors(target, key, { vectors, spans, isStandIn }) })
    removed.push(old)
    target.textDeleted()
    changed.push(id)
  }
  return { added, removed, changed, waited }
}

/** Runs inside the caller's transaction. Skips records that changed in the meantime. */
export function keepStandIn(
  { database, standIn }: WriteTarget,
  records: readonly Pick<NewVectors, 'id' | 'contentHash'>[],
): Omit<Committed, 'revision'> {
  const own = `${standIn ?? 0}:text:`
  const sql = `UPDATE records SET vectors_hash = vectors_hash || '${keptMark}'
    WHERE id = ?1 AND content_hash = ?2 AND substr(vectors_hash, 1, length(?3)) = ?3 AND NOT ${isKept}`
  for (const { id, contentHash } of records) database.execute(sql, [id, contentHash, own])
  return { added: [], removed: [], changed: records.map(({ id }) => id) }
}
