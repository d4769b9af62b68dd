/**
 * Runs long transactions in steps, so that reads never wait longer than a step. The transaction uses the writing connection. Between
 * two steps all reads use a second connection, which sees the state before the transaction. So no read sees half of a transaction, and
 * readers need not know of it.
 */

import type { Steps } from '../scheduling/steps.ts'
import type { OpenTransaction } from './database.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

export interface StepwiseDatabase extends SqliteDatabase {
  /**
   * Runs `work` in one transaction; rolls back if it throws or is abandoned between two steps. Yields between its steps if `pauses` is
   * set and a second connection can be opened; otherwise it is one step. `work` may run twice, as in `transaction`.
   */
  inSteps<T>(how: { readonly pauses?: boolean; readonly isDeletion?: boolean }, work: () => Steps<T>): Steps<T>
}

/**
 * `openReader` opens a second connection that keeps seeing the current state while the first one writes. `ended` is called before it is
 * closed.
 */
export function createStepwiseDatabase(
  writer: SqliteDatabase,
  openReader: (() => SqliteDatabase) | undefined,
  ended: (reader: SqliteDatabase) => void,
): StepwiseDatabase {
  let current = writer

  /** Null if there is none or it cannot be opened now: on a full disk, writing in one step is better than failing. */
  const tryReader = (): SqliteDatabase | null => {
    try {
      return openReader?.() ?? null
    } catch {
      return null
    }
  }

  function* once<T>(pauses: boolean, isDeletion: boolean, work: () => Steps<T>): Steps<T> {
    const reader = pauses ? tryReader() : null
    const endReading = () => {
      current = writer
      if (reader === null || isEnded) return
      isEnded = true
      ended(reader)
      reader.close()
    }
    let isEnded = false
    let isCommitted = false
    let transaction: OpenTransaction | null = null
    try {
      transaction = writer.begin(isDeletion)
      const steps = work()
      for (;;) {
        const step = steps.next()
        if (step.done) {
          // Closed before the commit, after which the file may change.
          endReading()
          transaction.commit()
          isCommitted = true
          return step.value
        }
        if (reader === null) continue
        current = reader
        yield step.value
        current = writer
      }
    } finally {
      endReading()
      if (!isCommitted) transaction?.rollback()
    }
  }

  return {
    sqlite3: writer.sqlite3,
    get pointer() {
      return current.pointer
    },
    execute: (sql, bind) => current.execute(sql, bind),
    each: (sql, bind, visit) => current.each(sql, bind, visit),
    transaction: (work, isDeletion) => current.transaction(work, isDeletion),
    begin: (isDeletion) => current.begin(isDeletion),
    regain: (isDeletion) => writer.regain(isDeletion),
    boundWork: () => writer.boundWork(),
    reading: (work) => current.reading(work),
    undefended: (work) => current.undefended(work),
    close: () => writer.close(),
    *inSteps({ pauses = false, isDeletion = false }, work) {
      try {
        return yield* once(pauses, isDeletion, work)
      } catch (error) {
        // Space was freed on a full disk. The second attempt must be short, so it does not pause.
        if (!writer.regain(isDeletion)) throw error
        return yield* once(false, isDeletion, work)
      }
    },
  }
}
