/**
 * Finds the records of a damaged store in all lists that can still be read: the table and two of its indexes. Each list is read from both
 * ends, so that a damaged page costs only the entries on it.
 */
import { all, type Database, first, type Row } from '../sqlite/database.ts'
import { isDamage } from '../store/integrity/integrity.ts'

export interface KnownRecords {
  /** Id by key; null: no list has the id, and the key may be unused. */
  readonly ids: ReadonlyMap<number, string | null>
  /** Whether at least one list could be read completely. */
  readonly isComplete: boolean
}

export function findRecords(database: Database): KnownRecords {
  const ids = new Map<number, string | null>()
  const note = (row: Row) => {
    const key = row.number(0)
    if (!ids.has(key)) ids.set(key, row.text(1))
  }
  const isComplete = lists.map((list) => readList(database, list, note)).includes(true)
  if (!isComplete) for (let key = lastKey(database, ids); key > 0; key--) if (!ids.has(key)) ids.set(key, null)
  return { ids, isComplete }
}

/** Visits the rows of a list from both ends; `%` in `sql` is the direction. Returns whether the first pass read all of it. */
export function readList(database: Database, sql: string, visit: (row: Row) => void): boolean {
  const readFrom = (direction: 'ASC' | 'DESC') => isRead(() => database.each(sql.replaceAll('%', direction), [], visit))
  return readFrom('ASC') || (readFrom('DESC') && false)
}

/** Returns false if `work` reads damaged data. */
export function isRead(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  }
}

const lists: readonly string[] = [
  `SELECT key, id FROM records NOT INDEXED ORDER BY key %`,
  `SELECT key, id FROM records INDEXED BY sqlite_autoindex_records_1 ORDER BY id %`,
  `SELECT key, id FROM records INDEXED BY records_updated ORDER BY updated_at %, id %`,
]

/** The largest key that may be in use. Each statement finds it on other pages. */
function lastKey(database: Database, ids: ReadonlyMap<number, unknown>): number {
  const candidates = [
    `SELECT value - 1 FROM settings WHERE name = 'nextKey'`,
    `SELECT max(key) FROM records`,
    `SELECT max(slot) / 4096 FROM vectors`,
    `SELECT key FROM events WHERE key IS NOT NULL ORDER BY sequence DESC LIMIT 1`,
  ].map((sql) => {
    let key = 0
    isRead(() => {
      key = first(database, sql, [], (row) => row.number(0)) ?? 0
    })
    return key
  })
  const largest = [...candidates, ...ids.keys()].reduce((most, key) => Math.max(most, key), 0)
  return Math.min(largest, mostKeys(database))
}

/** A damaged number must not be counted down to: a record takes hundreds of bytes, and its key may be larger than their number by far. */
function mostKeys(database: Database): number {
  const pages = first(database, 'PRAGMA page_count', [], (row) => row.number(0)) ?? 0
  return pages * keysPerPage
}

/** A page has 8 KiB. */
const keysPerPage = 512

/**
 * Tags by key without the index through which they are normally read; null if not all can be read. The table is named by the index of
 * its primary key: NOT INDEXED would still let SQLite read the other index, which covers the query.
 */
export function readTagsAside(database: Database): ReadonlyMap<number, readonly string[]> | null {
  const rows: (readonly [key: number, position: number, tag: string])[] = []
  const isWhole = isRead(() =>
    rows.push(
      ...all(database, `SELECT key, position, tag FROM tags INDEXED BY sqlite_autoindex_tags_1`, [], (row) => {
        return [row.number(0), row.number(1), row.text(2)] as const
      }),
    ),
  )
  if (!isWhole) return null
  const tags = new Map<number, string[]>()
  for (const [key, , tag] of rows.toSorted((a, b) => a[1] - b[1])) {
    const own = tags.get(key)
    if (own === undefined) tags.set(key, [tag])
    else own.push(tag)
  }
  return tags
}
