/** Queries that read the tables directly: records by id, scope, time or file. */
import { type ExistingRecord, pendingVectors } from '../../../src/core/ingest/plan-write.ts'
import type { StoredRecord } from '../../../src/core/model/record.ts'
import { foldForRuns } from '../../../src/core/text/tokenise/path-tokens.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import type { Store } from '../port/store.ts'
import { hydrate as readRecords } from '../rows/read-records.ts'
import { readPage } from './pages.ts'
import { keysByFile, keysByTerm } from './references-sql.ts'
import { conditionOf } from './scope-sql.ts'

export type RecordQueries = Pick<
  Store,
  | 'existing'
  | 'get'
  | 'hydrate'
  | 'ownTier'
  | 'page'
  | 'count'
  | 'tags'
  | 'ids'
  | 'keyOf'
  | 'keysById'
  | 'keysByTerm'
  | 'keysByFile'
  | 'keysOfFiles'
  | 'recent'
>

/**
 * `spaces`: the rows of the chosen embedding spaces; null if none. `effective`: returns the record with its effective authority
 * tier, where the row has the record's own tier.
 */
export function createRecordQueries(
  database: Database,
  spaces: () => readonly (number | null)[],
  effective: (record: StoredRecord) => StoredRecord,
): RecordQueries {
  const hydrate = (keys: readonly number[]) => readRecords(database, keys).map(effective)
  const keyOf = (id: string) => first(database, `SELECT key FROM records WHERE id = ?`, [id], (row) => row.number(0))
  return {
    existing(ids) {
      const existing = new Map<string, ExistingRecord>()
      for (const id of ids) {
        database.each(existingSql, [id], (row) =>
          existing.set(id, {
            contentHash: row.text(0),
            fieldsHash: row.text(1),
            textHash: row.text(2),
            vectorsHash: digestIn(spaces(), row.textOrNull(3)),
            createdAt: row.number(4),
            updatedAt: row.number(5),
          }),
        )
      }
      return existing
    },
    get(ids) {
      return ids.map((id) => {
        const key = keyOf(id)
        return key === undefined ? undefined : hydrate([key])[0]
      })
    },
    hydrate,
    ownTier: (id) =>
      first(database, `SELECT authority_tier FROM records WHERE id = ?`, [id], (row) => row.textOrNull(0)) ?? null,
    page: (request) => readPage(database, request),
    count(scope) {
      const { sql, bind } = conditionOf(scope)
      return first(database, `SELECT count(*) FROM records r ${where([sql])}`, bind, (row) => row.number(0)) ?? 0
    },
    tags(scope) {
      const { sql, bind } = conditionOf(scope)
      const from = sql === '' ? 'tags t' : `tags t JOIN records r ON r.key = t.key WHERE ${sql}`
      return all(
        database,
        `SELECT t.tag, count(*) AS uses FROM ${from} GROUP BY t.tag ORDER BY uses DESC, t.tag`,
        bind,
        (row) => ({ tag: row.text(0), count: row.number(1) }),
      )
    },
    ids(scope) {
      const { sql, bind } = conditionOf(scope)
      return all(database, `SELECT r.id FROM records r ${where([sql])} ORDER BY r.id`, bind, (row) => row.text(0))
    },
    keyOf,
    keysById: () => Uint32Array.from(all(database, `SELECT key FROM records ORDER BY id`, [], (row) => row.number(0))),
    keysByTerm: (folded) => keysByTerm(database, folded),
    keysByFile: (paths) => keysByFile(database, paths),
    keysOfFiles(parts) {
      const passes = new Map<string, boolean>()
      const keys = new Set<number>()
      database.each(`SELECT key, path FROM files`, [], (row) => {
        const path = row.text(1)
        let pass = passes.get(path)
        if (pass === undefined) {
          const folded = foldForRuns(path)
          pass = parts.some((part) => folded.includes(part))
          passes.set(path, pass)
        }
        if (pass) keys.add(row.number(0))
      })
      return keys
    },
    recent: (limit) =>
      all(database, `SELECT key FROM records ORDER BY updated_at DESC, id DESC LIMIT ?`, [limit], (row) =>
        row.number(0),
      ),
  }
}

function where(parts: readonly string[]): string {
  const conditions = parts.filter((part) => part !== '')
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}

const existingSql = `SELECT content_hash, fields_hash, text_hash, vectors_hash, created_at, updated_at FROM records WHERE id = ?`

/** A stored digest begins with the row of its space. Vectors of a space that is not chosen count as missing [V4]. */
function digestIn(spaces: readonly (number | null)[], stored: string | null): string | null {
  if (stored === pendingVectors || stored === null) return stored
  const prefix = spaces.map((space) => `${space ?? 0}:`).find((start) => stored.startsWith(start))
  return prefix === undefined ? null : stored.slice(prefix.length)
}
