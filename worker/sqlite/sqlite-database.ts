/**
 * The database driver over `@sqlite.org/sqlite-wasm`'s raw exports: opens a connection, hardens it, and caches prepared statements by
 * SQL text.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { type RecallError, recallError } from '../../src/core/model/errors.ts'
import type { BindValue, Database, Row } from './database.ts'
import { errorOfCode, memoryError, typedMemoryError } from './errors.ts'

// Re-exported, so that modules that open connections import only the driver.
export { typedMemoryError }

export interface SqliteDatabase extends Database {
  readonly sqlite3: Sqlite3Static
  /** The raw `sqlite3*`. */
  readonly pointer: number
  /** To be called after a failed transaction: whether space was freed on a full disk, so that a second attempt makes sense. */
  regain(): boolean
}

export interface SqliteOptions {
  /** File name of the database in its VFS, or `:memory:`. */
  readonly filename: string
  readonly vfs?: string | undefined
  /** Opens an existing file for reads; does not create one. */
  readonly isReader?: boolean | undefined
  /** Translates an extended result code to the actual cause, if the VFS knows it. */
  readonly explainFailure?: ((code: number) => RecallError | null) | undefined
  /** Reserved space on the disk, if the storage has some. */
  readonly room?: {
    /** Called before a commit: makes sure that its pages fit. Throws QUOTA_EXCEEDED. */
    ensure(pages: number, isDeletion: boolean): void
    /** Called after a failure: whether space was freed, so that a second attempt makes sense. */
    regain(): boolean
  }
}

/** The raw functions that the driver calls; sqlite-wasm's own typings have only wrappers of them. */
interface RawExports {
  sqlite3_step(statement: number): number
  sqlite3_reset(statement: number): number
  sqlite3_clear_bindings(statement: number): number
  sqlite3_finalize(statement: number): number
  sqlite3_changes(database: number): number
  sqlite3_bind_null(statement: number, index: number): number
  sqlite3_bind_int(statement: number, index: number, value: number): number
  sqlite3_bind_double(statement: number, index: number, value: number): number
  sqlite3_bind_text(statement: number, index: number, text: number, bytes: number, destructor: number): number
  sqlite3_bind_blob(statement: number, index: number, blob: number, bytes: number, destructor: number): number
  sqlite3_column_type(statement: number, column: number): number
  sqlite3_column_double(statement: number, column: number): number
  sqlite3_column_text(statement: number, column: number): number
  sqlite3_column_blob(statement: number, column: number): number
  sqlite3_column_bytes(statement: number, column: number): number
}

const encoder = new TextEncoder()
// A leading U+FEFF is part of the text.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes short ASCII texts, as most columns have, without the decoder, whose call costs more than a few characters. */
function decode(heap: Uint8Array, from: number, to: number): string {
  if (to - from > shortText) return decoder.decode(heap.subarray(from, to))
  let text = ''
  for (let at = from; at < to; at++) {
    const byte = heap[at]!
    if (byte >= 0x80) return decoder.decode(heap.subarray(from, to))
    text += String.fromCharCode(byte)
  }
  return text
}

const shortText = 16

interface Statement {
  readonly address: number
  /** The statement's only cursor. */
  readonly row: Row
  isRunning: boolean
  /** Whether it ran since statements were last evicted. */
  isRecent: boolean
}

/**
 * Most cached statements. Nearly all are known beforehand. But scopes have a statement for each combination of fields and number of
 * tags, and each would take some kB of SQLite's memory while the store is open.
 */
export const maxStatements = 384

/** Never evicted, because a rollback must not need memory. */
const rollback = 'ROLLBACK'

export function openSqliteDatabase(sqlite3: Sqlite3Static, options: SqliteOptions): SqliteDatabase {
  const { capi, wasm } = sqlite3
  const raw = wasm.exports as unknown as RawExports
  const connection = connect(sqlite3, options)
  const pointer = connection.pointer!
  const statements = new Map<string, Statement>()
  const { SQLITE_ROW, SQLITE_DONE, SQLITE_NULL } = capi
  let depth = 0
  let isClosed = false

  const fail = (code: number, sql: string): never => {
    const extended = capi.sqlite3_extended_errcode(pointer) || code
    throw options.explainFailure?.(extended) ?? errorOfCode(extended, capi.sqlite3_errmsg(pointer), sql)
  }

  /** Ends a transaction whose rollback failed, so that the next statements do not join it. */
  const rollbackLeftOver = (): void => {
    if (capi.sqlite3_get_autocommit(pointer) === 0) run(rollback, [], null)
  }

  /** Evicts statements that did not run since the last eviction; if all did, evicts all that can be. */
  const evictStatements = (): void => {
    for (let pass = 0; pass < 2 && statements.size >= maxStatements; pass++) {
      for (const [sql, statement] of statements) {
        if (statement.isRunning || sql === rollback) continue
        if (!statement.isRecent) {
          statements.delete(sql)
          raw.sqlite3_finalize(statement.address)
        }
        statement.isRecent = false
      }
    }
  }

  const prepare = (sql: string): Statement => {
    // A freed connection must never reach SQLite: a call that waited for its embedding may arrive after closing.
    if (isClosed) throw recallError('CLOSED', 'The store is closed', { hint: 'Open it again with openRecall.' })
    const cached = statements.get(sql)
    if (cached !== undefined) return cached
    if (statements.size >= maxStatements) evictStatements()
    const top = wasm.pstack.pointer
    const slot = wasm.pstack.alloc(8)
    try {
      const code = capi.sqlite3_prepare_v3(pointer, sql, -1, capi.SQLITE_PREPARE_PERSISTENT, slot, 0 as never)
      if (code !== 0) fail(code, sql)
      const address = wasm.peekPtr(slot) as number
      const statement = { address, row: rowOf(address), isRunning: false, isRecent: true }
      statements.set(sql, statement)
      return statement
    } catch (error) {
      throw typedMemoryError(sqlite3, error)
    } finally {
      wasm.pstack.restore(top)
    }
  }

  const bindAll = (statement: number, bind: readonly BindValue[], sql: string): void => {
    for (let i = 0; i < bind.length; i++) {
      const code = bindOne(statement, i + 1, bind[i] as BindValue)
      if (code !== 0) fail(code, sql)
    }
  }

  const bindOne = (statement: number, index: number, value: BindValue): number => {
    if (value === null) return raw.sqlite3_bind_null(statement, index)
    if (typeof value === 'number') {
      return (value | 0) === value
        ? raw.sqlite3_bind_int(statement, index, value)
        : raw.sqlite3_bind_double(statement, index, value)
    }
    if (typeof value === 'string') {
      const target = wasm.alloc(value.length * 3 + 1) as number
      const { written } = encoder.encodeInto(value, wasm.heap8u().subarray(target, target + value.length * 3))
      return raw.sqlite3_bind_text(statement, index, target, written, capi.SQLITE_WASM_DEALLOC as unknown as number)
    }
    const target = wasm.alloc(value.byteLength || 1) as number
    wasm.heap8u().set(value, target)
    return raw.sqlite3_bind_blob(
      statement,
      index,
      target,
      value.byteLength,
      capi.SQLITE_WASM_DEALLOC as unknown as number,
    )
  }

  const rowOf = (statement: number): Row => {
    const isNull = (column: number) => raw.sqlite3_column_type(statement, column) === SQLITE_NULL
    const text = (column: number): string => {
      const start = raw.sqlite3_column_text(statement, column)
      if (start === 0) return ''
      const length = raw.sqlite3_column_bytes(statement, column)
      return decode(wasm.heap8u(), start, start + length)
    }
    const bytesInPlace = (column: number): Uint8Array => {
      const start = raw.sqlite3_column_blob(statement, column)
      return wasm.heap8u().subarray(start, start + raw.sqlite3_column_bytes(statement, column))
    }
    return {
      number: (column) => raw.sqlite3_column_double(statement, column),
      numberOrNull: (column) => (isNull(column) ? null : raw.sqlite3_column_double(statement, column)),
      text,
      textOrNull: (column) => (isNull(column) ? null : text(column)),
      bytes: (column) => bytesInPlace(column).slice() as Uint8Array<ArrayBuffer>,
      bytesInPlace,
    }
  }

  /** Runs a statement to its end. A visit may run other statements, but not the same one. */
  const run = (sql: string, bind: readonly BindValue[], visit: ((row: Row) => void) | null): void => {
    const statement = prepare(sql)
    const { address, row } = statement
    if (statement.isRunning) throw recallError('INVALID_ARGUMENT', `The statement is already running: ${sql}`)
    statement.isRunning = true
    statement.isRecent = true
    try {
      try {
        bindAll(address, bind, sql)
      } catch (error) {
        throw typedMemoryError(sqlite3, error)
      }
      for (;;) {
        const code = raw.sqlite3_step(address)
        if (code === SQLITE_ROW) visit?.(row)
        else if (code === SQLITE_DONE) break
        else fail(code, sql)
      }
    } finally {
      raw.sqlite3_reset(address)
      raw.sqlite3_clear_bindings(address)
      statement.isRunning = false
    }
  }

  const database: SqliteDatabase = {
    sqlite3,
    pointer,
    execute(sql, bind = []) {
      run(sql, bind, null)
      return raw.sqlite3_changes(pointer)
    },
    each: run,
    transaction(work, isDeletion = false) {
      if (depth > 0) return work()
      const once = () => {
        const open = database.begin(isDeletion)
        try {
          const answer = work()
          open.commit()
          return answer
        } catch (error) {
          open.rollback()
          throw error
        }
      }
      try {
        return once()
      } catch (error) {
        if (!database.regain()) throw error
        return once()
      }
    },
    regain: () => options.room?.regain() === true,
    begin(isDeletion = false) {
      rollbackLeftOver()
      run('BEGIN IMMEDIATE', [], null)
      depth++
      return {
        commit() {
          if (options.room) {
            const { room } = options
            run('PRAGMA page_count', [], (row) => room.ensure(row.number(0), isDeletion))
          }
          run('COMMIT', [], null)
          depth--
        },
        rollback() {
          depth--
          try {
            // A failed COMMIT or a full disk may have rolled back already.
            rollbackLeftOver()
          } catch {
            // The first error is the one to report. The next transaction tries the rollback again.
          }
        },
      }
    },
    undefended(work) {
      defend(sqlite3, pointer, false)
      try {
        return work()
      } finally {
        defend(sqlite3, pointer, true)
      }
    },
    reading(work) {
      if (depth > 0) return work()
      rollbackLeftOver()
      run('BEGIN', [], null)
      depth++
      try {
        return work()
      } finally {
        depth--
        // An I/O error may have ended the transaction already, and that error is the one to report.
        if (capi.sqlite3_get_autocommit(pointer) === 0) run('COMMIT', [], null)
      }
    },
    close() {
      for (const { address } of statements.values()) raw.sqlite3_finalize(address)
      statements.clear()
      isClosed = true
      connection.close()
    },
  }
  try {
    harden(sqlite3, pointer, database)
    // Prepared in advance, because a rollback may be needed when memory has run out.
    prepare(rollback)
  } catch (error) {
    database.close()
    throw error
  }
  return database
}

function connect(sqlite3: Sqlite3Static, { filename, vfs, isReader, explainFailure }: SqliteOptions) {
  try {
    return new sqlite3.oo1.DB({ filename, flags: isReader ? 'r' : 'c', ...(vfs ? { vfs } : {}) })
  } catch (error) {
    if (error instanceof sqlite3.WasmAllocError) throw memoryError(error.message)
    const { resultCode, message } = error as { readonly resultCode?: number; readonly message: string }
    const code = resultCode ?? sqlite3.capi.SQLITE_CANTOPEN
    throw explainFailure?.(code) ?? errorOfCode(code, message, `opening ${filename}`)
  }
}

function defend({ capi }: Sqlite3Static, pointer: number, isOn: boolean): void {
  capi.sqlite3_db_config(pointer, capi.SQLITE_DBCONFIG_DEFENSIVE, isOn ? 1 : 0, 0 as never)
}

/** Settings of every connection: an untrusted schema, checked cells, overwritten deletions. */
function harden(sqlite3: Sqlite3Static, pointer: number, database: Database): void {
  const { capi } = sqlite3
  defend(sqlite3, pointer, true)
  for (const pragma of [
    'trusted_schema=OFF',
    'cell_size_check=ON',
    'foreign_keys=ON',
    'secure_delete=ON',
    'temp_store=MEMORY',
  ]) {
    database.execute(`PRAGMA ${pragma}`)
  }
  // The limits of SQLite's security recommendations, with room for our longest row (limits.html).
  capi.sqlite3_limit(pointer, capi.SQLITE_LIMIT_LENGTH, 16_000_000)
  capi.sqlite3_limit(pointer, capi.SQLITE_LIMIT_SQL_LENGTH, 100_000)
  capi.sqlite3_limit(pointer, capi.SQLITE_LIMIT_ATTACHED, 0)
  capi.sqlite3_limit(pointer, capi.SQLITE_LIMIT_EXPR_DEPTH, 300)
}
