/**
 * A database whose n-th statement inside a transaction fails, as with a full disk or a dying machine in the middle of
 * a write.
 */
import { type ErrorCode, recallError } from '../../../src/core/model/errors.ts'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'

export interface FaultyDatabase {
  readonly database: SqliteDatabase
  /** From now on the statement after `n` others fails, once; null: none does. Statements are counted from 0 again. */
  failAfter(n: number | null, code?: ErrorCode): void
  /** Statements since then. */
  statements(): number
}

export function createFaultyDatabase(sound: SqliteDatabase): FaultyDatabase {
  let count = 0
  let failing: number | null = null
  let thrown: ErrorCode = 'QUOTA_EXCEEDED'
  const next = () => {
    if (count++ !== failing) return
    failing = null
    throw recallError(thrown, 'the disk failed, says the test')
  }
  return {
    database: {
      ...sound,
      execute(sql, bind) {
        next()
        return sound.execute(sql, bind)
      },
      each(sql, bind, visit) {
        next()
        sound.each(sql, bind, visit)
      },
    },
    failAfter(n, code = 'QUOTA_EXCEEDED') {
      thrown = code
      count = 0
      failing = n
    },
    statements: () => count,
  }
}
