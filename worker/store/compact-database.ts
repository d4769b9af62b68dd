/**
 * Compacts a database: merges the text index into one segment and reclaims free pages. Runs in steps, each a short transaction,
 * so that other calls come between. Erasing forgotten data does not depend on it: `secure_delete` and unallocated-space.ts
 * overwrite it earlier.
 */

import { RecallError } from '../../src/core/model/errors.ts'
import { contradictory } from '../scheduling/stored-order.ts'
import { type Database, first } from '../sqlite/database.ts'
import { reservedAt } from '../sqlite/pages/page-format.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { vacuum } from '../sqlite/vacuum.ts'
import type { CompactProgress } from './port/store.ts'

export function databaseFileBytes(database: Database): number {
  return pragma(database, 'page_count') * pragma(database, 'page_size')
}

/** Pages per step: merged in the text index, and removed from the end of the file. */
const mergedAtOnce = 64
const vacatedAtOnce = 64

/** Each `next` is one step. No transaction may be open. The caller throws into it a step that a full disk kept from being durable. */
export function* compactSteps(database: SqliteDatabase): Generator<CompactProgress, void, undefined> {
  let done = 0
  const progress = () => ({ done: ++done, total: done + Math.ceil(pragma(database, 'freelist_count') / vacatedAtOnce) })
  try {
    // A step merges many pages, so that more steps than pages are a sign of damage.
    let left = pragma(database, 'page_count')
    for (let pages = -mergedAtOnce; mergeTextIndex(database, pages); pages = mergedAtOnce) {
      if (left-- === 0) throw contradictory()
      yield progress()
    }
  } catch (error) {
    // A merge needs room before it frees any; free pages can be removed without it.
    if (!isFull(error)) throw error
  }
  if (isOldShape(database)) {
    vacuum(database)
    return
  }
  for (let pages = vacatedAtOnce, free = 0; (free = pragma(database, 'freelist_count')) > 0; ) {
    try {
      database.transaction(() => database.execute(`PRAGMA incremental_vacuum(${pages})`), true)
      if (pragma(database, 'freelist_count') >= free) throw contradictory()
      yield progress()
    } catch (error) {
      if (!isFull(error) || pages === 1) throw error
      pages = Math.ceil(pages / 4)
    }
  }
}

/** Returns whether there may be more to merge. A negative count starts a merge of everything, a positive one continues it. */
function mergeTextIndex(database: SqliteDatabase, pages: number): boolean {
  const changes = () => first(database, 'SELECT total_changes()', [], (row) => row.number(0)) ?? 0
  const before = changes()
  database.transaction(
    () => database.execute(`INSERT INTO record_fts (record_fts, rank) VALUES ('merge', ?)`, [pages]),
    true,
  )
  // FTS5's documentation: fewer than 2 changes mean that the merge is complete.
  return changes() - before >= 2
}

/**
 * Whether the file lacks pointer maps or room for page checksums, as files of older versions do. VACUUM adds both. A database
 * in memory has neither and needs neither.
 */
function isOldShape(database: SqliteDatabase): boolean {
  if (pragma(database, 'auto_vacuum') !== incremental) return true
  const header = first(database, 'SELECT data FROM sqlite_dbpage WHERE pgno = 1', [], (row) => row.bytes(0))
  return header !== undefined && header[reservedAt]! < reservedBytesWanted(database)
}

const incremental = 2

function reservedBytesWanted({ sqlite3: { capi, wasm }, pointer }: SqliteDatabase): number {
  const top = wasm.pstack.pointer
  try {
    const bytes = wasm.pstack.alloc(8)
    // A negative value only queries: it changes nothing.
    wasm.poke32(bytes, -1)
    capi.sqlite3_file_control(pointer as never, 'main', capi.SQLITE_FCNTL_RESERVE_BYTES, bytes as never)
    return wasm.peek32(bytes) as number
  } finally {
    wasm.pstack.restore(top)
  }
}

function isFull(error: unknown): boolean {
  return error instanceof RecallError && error.code === 'QUOTA_EXCEEDED'
}

function pragma(database: Database, name: string): number {
  return first(database, `PRAGMA ${name}`, [], (row) => row.number(0)) ?? 0
}
