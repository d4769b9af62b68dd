/**
 * One database for readers and for writers that take their time. A transaction in steps goes on in the writing connection; between
 * two steps everyone else reads from a second connection, which sees what was committed before it began. So reads never wait for
 * more than a step, never see half of a transaction, and whoever reads knows nothing of it.
 */

import type { Steps } from '../scheduling/steps.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

export interface StepwiseDatabase extends SqliteDatabase {
  /**
   * One transaction: all of `work`, or nothing when it throws or is given up between two steps. It yields between its steps when
   * `pauses`, and a second connection can be had; else it is one step. `work` may run twice, as that of `transaction`.
   */
  inSteps<T>(how: { readonly pauses?: boolean; readonly isDeletion?: boolean }, work: () => Steps<T>): Steps<T>
}

/**
 * `openReader`: a second connection that goes on seeing what is committed now while the first one writes; `ended` is told before
 * it is closed.
 */
export function createStepwiseDatabase(
  writer: SqliteDatabase,
  openReader: (() => SqliteDatabase) | undefined,
  ended: (reader: SqliteDatabase) => void,
): StepwiseDatabase {
  let current = writer

  /** Null where there is none, or none can be had now: on a full disk it is better to write in one step than not at all. */
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
    const transaction = writer.begin(isDeletion)
    try {
      const steps = work()
      for (;;) {
        const step = steps.next()
        if (step.done) {
          // Before the commit: afterwards the file may change under it.
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
      if (!isCommitted) transaction.rollback()
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
    regain: () => writer.regain(),
    reading: (work) => current.reading(work),
    undefended: (work) => current.undefended(work),
    close: () => writer.close(),
    *inSteps({ pauses = false, isDeletion = false }, work) {
      try {
        return yield* once(pauses, isDeletion, work)
      } catch (error) {
        // On a full disk room was made: once more, and not for longer than it takes.
        if (!writer.regain()) throw error
        return yield* once(false, isDeletion, work)
      }
    },
  }
}
