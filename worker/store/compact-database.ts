/**
 * Gives back what a database does not need: the text index is merged into one segment, and free pages leave the file. In steps,
 * each a short transaction of its own, so that other calls come between. What was forgotten is overwritten long before
 * (`secure_delete`, and gaps by unallocated-space.ts).
 */
import { RecallError } from '../../src/core/model/errors.ts'
import { type Database, first } from '../sqlite/database.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts'

export function databaseFileBytes(database: Database): number {
  return pragma(database, 'page_count') * pragma(database, 'page_size')
}

export interface CompactProgress {
  readonly done: number
  readonly total: number
}

/** Pages of the text index merged in one step, and pages that leave the file in one. */
const mergedAtOnce = 64
const vacatedAtOnce = 64

/** Each `next` is one step; no transaction may be open. A step that could not be made durable on a full disk comes back by `throw`. */
export function* compactSteps(database: SqliteDatabase): Generator<CompactProgress, void, undefined> {
  let done = 0
  const progress = () => ({ done: ++done, total: done + Math.ceil(pragma(database, 'freelist_count') / vacatedAtOnce) })
  try {
    for (let pages = -mergedAtOnce; mergeTextIndex(database, pages); pages = mergedAtOnce) yield progress()
  } catch (error) {
    // A merge needs room before it gives any; without it free pages can leave all the same.
    if (!isFull(error)) throw error
  }
  if (isOldShape(database)) {
    rewrite(database)
    return
  }
  for (let pages = vacatedAtOnce; pragma(database, 'freelist_count') > 0; ) {
    try {
      database.transaction(() => database.execute(`PRAGMA incremental_vacuum(${pages})`), true)
      yield progress()
    } catch (error) {
      if (!isFull(error) || pages === 1) throw error
      pages = Math.ceil(pages / 4)
    }
  }
}

/** Whether there may be more to merge. A negative number begins a merge of everything, a positive one goes on with it. */
function mergeTextIndex(database: SqliteDatabase, pages: number): boolean {
  const changes = () => first(database, 'SELECT total_changes()', [], (row) => row.number(0)) ?? 0
  const before = changes()
  database.transaction(
    () => database.execute(`INSERT INTO record_fts (record_fts, rank) VALUES ('merge', ?)`, [pages]),
    true,
  )
  // What FTS5's documentation says of a merge that is done.
  return changes() - before >= 2
}

/**
 * A file that was made before there were pointer maps, or without room for seals: it gets them when it is written anew. A
 * database in memory has neither, and needs none.
 */
function isOldShape(database: SqliteDatabase): boolean {
  if (pragma(database, 'auto_vacuum') !== incremental) return true
  const header = first(database, 'SELECT data FROM sqlite_dbpage WHERE pgno = 1', [], (row) => row.bytes(0))
  return header !== undefined && header[reservedAt]! < reservedBytesWanted(database)
}

const incremental = 2
/** In the header of a file: bytes at the end of each page that belong to its storage. */
const reservedAt = 20

function reservedBytesWanted({ sqlite3: { capi, wasm }, pointer }: SqliteDatabase): number {
  const top = wasm.pstack.pointer
  try {
    const bytes = wasm.pstack.alloc(8)
    // Outside of what can be set: it is only asked for.
    wasm.poke32(bytes, -1)
    capi.sqlite3_file_control(pointer as never, 'main', capi.SQLITE_FCNTL_RESERVE_BYTES, bytes as never)
    return wasm.peek32(bytes) as number
  } finally {
    wasm.pstack.restore(top)
  }
}

/** In one go, and it needs as much room as the database has. */
function rewrite(database: SqliteDatabase): void {
  const { capi } = database.sqlite3
  // VACUUM attaches the copy it writes; nothing else ever may.
  const limit = capi.sqlite3_limit(database.pointer, capi.SQLITE_LIMIT_ATTACHED, 1)
  try {
    database.execute('VACUUM')
  } finally {
    capi.sqlite3_limit(database.pointer, capi.SQLITE_LIMIT_ATTACHED, limit)
  }
}

function isFull(error: unknown): boolean {
  return error instanceof RecallError && error.code === 'QUOTA_EXCEEDED'
}

function pragma(database: Database, name: string): number {
  return first(database, `PRAGMA ${name}`, [], (row) => row.number(0)) ?? 0
}
