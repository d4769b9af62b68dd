/**
 * A SQLite database in memory whose commits a page log keeps. A commit is durable when `flush` resolves. If it cannot be made durable,
 * the pages are restored, which SQLite notices by its change counter.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { RecallError } from '../../../src/core/model/errors.ts'
import { reserveSeals } from '../../sqlite/pages/checksum-vfs.ts'
import { createPageFile, type Page, type PageChanges, type PageFile } from '../../sqlite/pages/page-file.ts'
import { formatOf } from '../../sqlite/pages/page-format.ts'
import { mountPageFile, pageVfsName } from '../../sqlite/pages/page-vfs.ts'
import { zeroUnallocated } from '../../sqlite/pages/unallocated-space.ts'
import {
  applyPragmas,
  cacheSizePragma,
  hardenedPragmas,
  noSpillPragma,
  type Pragma,
  pageSizePragma,
} from '../../sqlite/pragmas.ts'
import { openSqliteDatabase, type SqliteDatabase } from '../../sqlite/sqlite-database.ts'
import { makeShrinkable } from '../common/incremental-vacuum.ts'
import { openSnapshot } from '../common/open-snapshot.ts'
import type { OpenStorage } from '../common/port.ts'
import type { ByteStore } from '../common/byte-store.ts'
import { type LogLimits, logLimits, openPageLog, type PageLog } from './page-log.ts'

export interface PagedStorage
  extends Required<
    Pick<OpenStorage, 'database' | 'flush' | 'checkpoint' | 'openReader' | 'onRewind' | 'mustErase' | 'isUnerased'>
  > {
  readonly degraded: readonly string[]
  /** Whether nothing was ever flushed here. */
  readonly isNew: boolean
  /** Flushes, then frees the pages, even if flushing failed. */
  close(): Promise<void>
}

export interface PagedOptions {
  /** Awaited once in the lifetime of a store, before its first flush resolves. */
  readonly afterFirstFlush?: (() => Promise<void>) | undefined
  readonly limits?: LogLimits | undefined
  /** Reserved bytes at the end of each page, so that a locked store can move to a kind that seals pages. Default: none. */
  readonly reserved?: number | undefined
}

/**
 * Opens the database in the byte store. Rejects with STORE_CORRUPT or STORE_NEWER, or as the byte store does.
 */
export async function openPagedStorage(
  sqlite3: Sqlite3Static,
  path: string,
  store: ByteStore,
  { afterFirstFlush = async () => undefined, limits = logLimits, reserved = 0 }: PagedOptions = {},
): Promise<PagedStorage> {
  const log = await openPageLog(store, limits)
  const file = createPageFile(log.pages)
  let isErasingDue = log.isErasing && !(await isErased(log, file))
  const unmount = mountPageFile(sqlite3, path, file)
  let database: SqliteDatabase
  // A commit outside of the driver's transactions is the VACUUM of an old file.
  let isDeletion = true
  try {
    database = openDatabase(sqlite3, path, reserved, (isDeleting) => {
      isDeletion &&= isDeleting
    })
  } catch (error) {
    unmount()
    throw error
  }
  let rewound = () => {}
  let isUnerased = true
  let isFirst = log.isNew

  const append = async (isErasing: boolean) => {
    const changes = file.take()
    const kind = { isErasing: isErasing || isErasingDue, isDeletion }
    // Also after commits that changed nothing: they must not decide what the next changes may use.
    isDeletion = true
    if (changes === null) return
    isUnerased = true
    const view = file.view()
    zeroGaps(changes, view)
    try {
      await log.append(changes, view, kind)
    } catch (error) {
      file.restore()
      rewound()
      throw error
    }
    file.confirm()
    if (isFirst) await afterFirstFlush()
    isFirst = false
  }

  /** Runs one after the other, because an append must know whether the previous one succeeded. */
  let last: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  return {
    database,
    isUnerased: isErasingDue,
    openReader: () => openSnapshot(sqlite3, { filename: path, vfs: pageVfsName }),
    degraded: log.degraded,
    isNew: log.isNew,
    onRewind: (listener) => {
      rewound = listener
    },
    mustErase: () => {
      isErasingDue = true
    },
    flush: () => inTurn(() => append(false)),
    checkpoint: () =>
      inTurn(async () => {
        await append(true)
        if (!isUnerased) return
        await log.erase(file.view())
        isUnerased = isErasingDue = false
      }),
    close: async () => {
      try {
        await inTurn(() => append(false))
        await log.idle()
        if (isErasingDue) await isErased(log, file)
      } finally {
        database.close()
        unmount()
      }
    },
  }
}

/** False on a full disk: then erasing stays due, and the store can be used anyway. */
async function isErased(log: PageLog, file: PageFile): Promise<boolean> {
  try {
    await log.erase(file.view())
    return true
  } catch (error) {
    if (error instanceof RecallError && error.code === 'QUOTA_EXCEEDED') return false
    throw error
  }
}

/** Here instead of at each write, because the header must be known, and SQLite may write other pages of a commit before it. */
function zeroGaps({ numbers, pages }: PageChanges, [first]: readonly Page[]): void {
  if (first === undefined) return
  const format = formatOf(first)
  for (const [i, page] of pages.entries()) zeroUnallocated(page, numbers[i]!, format)
}

/** A rollback needs a journal only in memory, because a dying thread takes the pages with it. */
const pagedPragmas: readonly Pragma[] = [{ name: 'journal_mode', set: 'MEMORY', reads: 'memory' }, noSpillPragma]

function openDatabase(
  sqlite3: Sqlite3Static,
  path: string,
  reserved: number,
  onCommit: (isDeletion: boolean) => void,
): SqliteDatabase {
  const database = openSqliteDatabase(sqlite3, {
    filename: path,
    vfs: pageVfsName,
    room: { ensure: (_pages, isDeletion) => onCommit(isDeletion), regain: () => false },
  })
  try {
    applyPragmas(database, [pageSizePragma])
    // Setting the page size resets the reserved bytes.
    if (reserved > 0) reserveSeals(sqlite3, database.pointer, reserved)
    applyPragmas(database, pagedPragmas)
    makeShrinkable(database)
    applyPragmas(database, [cacheSizePragma, ...hardenedPragmas])
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
