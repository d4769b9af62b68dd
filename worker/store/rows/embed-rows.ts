/** Records that have no vectors in a space, and vectors that are given to them later. */

import { pendingVectors } from '../../../src/core/ingest/plan-write.ts'
import type { StoredRecord } from '../../../src/core/model/record.ts'
import { costs, createPace, type Steps } from '../../scheduling/steps.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import type { Committed } from '../port/committed.ts'
import { removeVectors } from './vector-rows.ts'
import { insertVectors, type WriteTarget, withSpace } from './write-records.ts'

/** A record to embed, as far as embedding needs it. */
export interface UnembeddedRow extends Pick<StoredRecord, 'title' | 'summary' | 'body' | 'instruction' | 'command'> {
  readonly key: number
  readonly id: string
  readonly contentHash: string
}

export interface NewVectors {
  readonly id: string
  /** Of the text they were made from. */
  readonly contentHash: string
  readonly vectors: readonly Float32Array[]
  readonly spans: readonly (readonly [number, number] | null)[]
  readonly vectorsHash: string
}

/** Vectors that are none, or of another space: their digest does not begin with the space's row. */
const lacking = `(vectors_hash IS NULL OR substr(vectors_hash, 1, length(?1) + 1) <> ?1 || ':')`

const waiting = `vectors_hash = '${pendingVectors}'`

/** By key, after `after`; `pending`: those alone whose vectors could not be made when they were put. */
export function readUnembedded(
  database: Database,
  space: number,
  after: number,
  limit: number,
  pending = false,
): UnembeddedRow[] {
  return all(
    database,
    `SELECT key, id, content_hash, title, summary, body, instruction, command FROM records
      WHERE ${pending ? waiting : lacking} AND key > ?2 AND ?1 = ?1 ORDER BY key LIMIT ?3`,
    [String(space), after, limit],
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
}

export function countUnembedded(database: Database, space: number): number {
  return first(database, `SELECT count(*) FROM records WHERE ${lacking}`, [String(space)], (row) => row.number(0)) ?? 0
}

/** Inside the caller's transaction; passes over records that changed or have vectors by now. Their times stay. `waited`: how many of them were pending. */
export function* writeNewVectors(
  target: WriteTarget,
  given: readonly NewVectors[],
): Steps<Omit<Committed, 'revision'> & { readonly waited: number }> {
  const { database, space } = target
  const added: Committed['added'][number][] = []
  const removed: number[] = []
  const changed: string[] = []
  let waited = 0
  const pace = createPace()
  for (const [i, { id, contentHash, vectors, spans, vectorsHash }] of given.entries()) {
    if (pace.isDue(costs.replace)) yield i
    const found = first(
      database,
      `SELECT key, ${waiting} FROM records WHERE ${lacking} AND id = ?2 AND content_hash = ?3`,
      [String(space), id, contentHash],
      (row) => ({ key: row.number(0), waited: row.number(1) }),
    )
    if (found === undefined) continue
    const { key: old } = found
    waited += found.waited
    const key = target.takeKey()
    removeVectors(database, old)
    // A key names one version of text and vectors; what hangs on it follows by cascade.
    database.execute(`UPDATE records SET key = ?, vectors_hash = ? WHERE key = ?`, [
      key,
      withSpace(target, vectorsHash),
      old,
    ])
    added.push({ key, codes: insertVectors(target, key, { vectors, spans }) })
    removed.push(old)
    target.textDeleted()
    changed.push(id)
  }
  return { added, removed, changed, waited }
}
