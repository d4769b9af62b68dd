/**
 * A SQLite database in memory whose commits a page log keeps. A commit is durable when `flush` resolves; when it cannot
 * be made so, the pages go back to where they were and SQLite finds that out by itself.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { openSqliteDatabase, type SqliteDatabase } from '../store/sqlite-database.ts'
import type { ByteStore } from './byte-store.ts'
import { createPageFile, type Page, type PageChanges } from './page-file.ts'
import { formatOf } from './page-format.ts'
import { zeroGap } from './page-gap.ts'
import { type LogLimits, logLimits, openPageLog } from './page-log.ts'
import { mountPageFile, pageVfsName } from './page-vfs.ts'
import type { OpenStorage } from './port.ts'
import { applyPragmas, cacheSizePragma, hardenedPragmas, type Pragma, pageSizePragma } from './pragmas.ts'

export interface PagedStorage extends Required<Pick<OpenStorage, 'database' | 'flush' | 'checkpoint' | 'onRewind'>> {
  readonly degraded: readonly string[]
  /** Nothing was ever flushed here. */
  readonly isNew: boolean
  /** Flushes, then frees the pages, also when flushing failed. */
  close(): Promise<void>
}

/**
 * Opens the database that the byte store keeps. `afterFirstFlush` is awaited once in the life of a store, before its
 * first flush resolves.
 * Rejects with STORE_CORRUPT or STORE_NEWER, or as the byte store does.
 */
export async function openPagedStorage(
  sqlite3: Sqlite3Static,
  path: string,
  store: ByteStore,
  afterFirstFlush: () => Promise<void> = async () => undefined,
  limits: LogLimits = logLimits,
): Promise<PagedStorage> {
  const log = await openPageLog(store, limits)
  const file = createPageFile(log.pages)
  if (log.isErasing) await log.erase(file.view())
  const unmount = mountPageFile(sqlite3, path, file)
  let database: SqliteDatabase
  try {
    database = openDatabase(sqlite3, path)
  } catch (error) {
    unmount()
    throw error
  }
  let rewound = () => {}
  let isUnerased = true
  let isFirst = log.isNew

  const append = async (isErasing: boolean) => {
    const changes = file.take()
    if (changes === null) return
    isUnerased = true
    const view = file.view()
    zeroGaps(changes, view)
    try {
      await log.append(changes, view, isErasing)
    } catch (error) {
      file.restore()
      rewound()
      throw error
    }
    file.settle()
    if (isFirst) await afterFirstFlush()
    isFirst = false
  }

  /** One after the other: an append must know whether the one before it holds. */
  let last: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  return {
    database,
    degraded: log.degraded,
    isNew: log.isNew,
    onRewind: (listener) => {
      rewound = listener
    },
    flush: () => inTurn(() => append(false)),
    checkpoint: () =>
      inTurn(async () => {
        await append(true)
        if (!isUnerased) return
        await log.erase(file.view())
        isUnerased = false
      }),
    close: async () => {
      try {
        await inTurn(() => append(false))
        await log.idle()
      } finally {
        database.close()
        unmount()
      }
    },
  }
}

/** Only here, where the header is known: SQLite may have written other pages of the same commit before it. */
function zeroGaps({ numbers, pages }: PageChanges, [first]: readonly Page[]): void {
  if (first === undefined) return
  const format = formatOf(first)
  for (const [i, page] of pages.entries()) zeroGap(page, numbers[i] as number, format)
}

/** Rolling back needs a journal only in memory: a dying thread takes the pages with it. */
const pagedPragmas: readonly Pragma[] = [
  pageSizePragma,
  { name: 'journal_mode', set: 'MEMORY', reads: 'memory' },
  cacheSizePragma,
  ...hardenedPragmas,
]

function openDatabase(sqlite3: Sqlite3Static, path: string): SqliteDatabase {
  const database = openSqliteDatabase(sqlite3, { filename: path, vfs: pageVfsName })
  try {
    applyPragmas(database, pagedPragmas)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
