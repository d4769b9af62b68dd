/**
 * The database driver over `@sqlite.org/sqlite-wasm`'s raw exports: caches prepared statements by SQL text, and runs
 * transactions.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { recallError } from '../../src/core/model/errors.ts'
import { contradictory } from '../scheduling/stored-order.ts'
import { boundWork } from './bound-work.ts'
import { connect, defend, harden, type SqliteOptions } from './connection.ts'
import type { BindValue, Database, Row } from './database.ts'
import { discardTotals } from './discard-totals.ts'
import { errorOfCode, typedMemoryError } from './errors.ts'
import { bindOne, rawExports, rowOf } from './values.ts'

// Re-exported, so that modules that open connections import only the driver.
export { typedMemoryError }

export interface SqliteDatabase extends Database {
  readonly sqlite3: Sqlite3Static
  /** The raw `sqlite3*`. */
  readonly pointer: number
  /** To be called after a failed transaction: whether space was freed on a full disk, so that a second attempt makes sense. */
  regain(isDeletion: boolean): boolean
  /**
   * From now on the work of a statement is bounded by the size of the database: one that takes more than any undamaged database can need throws STORE_CORRUPT. Reads the
   * number of pages.
   */
  boundWork(): void
}

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
  const raw = rawExports(sqlite3)
  const connection = connect(sqlite3, options)
  const pointer = connection.pointer!
  const statements = new Map<string, Statement>()
  const { SQLITE_ROW, SQLITE_DONE } = capi
  const bound = boundWork(sqlite3, pointer)
  let depth = 0
  let isClosed = false
  /** Whether SQLite ended the last transaction by itself, so that FTS5 may hold wrong totals. */
  let endedItself = false

  const fail = (code: number, sql: string): never => {
    if (code === capi.SQLITE_INTERRUPT && bound.isExceeded()) throw contradictory()
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
      const statement = { address, row: rowOf(sqlite3, address), isRunning: false, isRecent: true }
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
      // A parameter without a value is NULL.
      if (bind[i] === null) continue
      const code = bindOne(sqlite3, statement, i + 1, bind[i]!)
      if (code !== 0) fail(code, sql)
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
      bound.begin()
      const mostRows = bound.mostRows()
      for (let rows = 0; ; ) {
        const code = raw.sqlite3_step(address)
        if (code === SQLITE_ROW) {
          if (++rows > mostRows) throw contradictory()
          visit?.(row)
        } else if (code === SQLITE_DONE) break
        else fail(code, sql)
      }
    } finally {
      raw.sqlite3_reset(address)
      raw.sqlite3_clear_bindings(address)
      statement.isRunning = false
    }
  }

  const countPages = (): number => {
    let pages = 0
    run('PRAGMA page_count', [], (row) => (pages = row.number(0)))
    bound.measure(pages)
    return pages
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
        if (!database.regain(isDeletion)) throw error
        return once()
      }
    },
    boundWork: () => void countPages(),
    regain: (isDeletion) => options.room?.regain(isDeletion) === true,
    begin(isDeletion = false) {
      rollbackLeftOver()
      if (endedItself) discardTotals(database, rollbackLeftOver)
      endedItself = false
      run('BEGIN IMMEDIATE', [], null)
      depth++
      return {
        commit() {
          options.room?.ensure(countPages(), isDeletion)
          run('COMMIT', [], null)
          depth--
        },
        rollback() {
          depth--
          try {
            // A failed COMMIT, a full disk or an I/O error may have rolled back already.
            endedItself ||= capi.sqlite3_get_autocommit(pointer) !== 0
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
      if (!isClosed) bound.release()
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
