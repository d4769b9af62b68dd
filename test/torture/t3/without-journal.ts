/**
 * A control: a store without a journal on disk. The shipped storage keeps the journal's file to reserve its space, and
 * SQLite uses a journal again wherever it finds its file: `PRAGMA journal_mode=MEMORY` alone answers `memory` and
 * changes nothing.
 */
import { guardJournalOf } from '../../../worker/sqlite/pages/checksum-vfs.ts'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'

/** Throws when SQLite still has a journal on disk: then the control would prove nothing. */
export function withoutJournal(storage: OpenStorage): OpenStorage {
  const { database } = storage
  letJournalGo(database)
  database.execute('PRAGMA journal_mode=MEMORY')
  if (guardJournalOf(database.sqlite3, database.pointer) !== null)
    throw new Error('SQLite still writes a journal to disk')
  return { ...storage, database: { ...database, transaction: (work) => transaction(database, work) } }
}

/** The journal's file no longer needs to outlive its use. Applies to all stores of this worker. */
function letJournalGo({ sqlite3, pointer }: SqliteDatabase): void {
  const { capi, wasm } = sqlite3
  const top = wasm.pstack.pointer
  try {
    const out = wasm.pstack.alloc(8)
    capi.sqlite3_file_control(pointer as never, 'main', capi.SQLITE_FCNTL_FILE_POINTER as never, out as never)
    const file = new capi.sqlite3_file(wasm.peekPtr(out) as never) as unknown as { $pMethods: number; dispose(): void }
    const methods = new capi.sqlite3_io_methods(file.$pMethods as never) as unknown as {
      $xFileControl: number
      dispose(): void
    }
    if (!letGo.has(file.$pMethods)) {
      letGo.add(file.$pMethods)
      const shipped = wasm.functionEntry(methods.$xFileControl as never) as unknown as Control
      const control: Control = (of, operation, answer) => {
        if (operation !== capi.SQLITE_FCNTL_PERSIST_WAL) return shipped(of, operation, answer)
        wasm.poke32(answer as never, 0)
        return 0
      }
      methods.$xFileControl = wasm.installFunction('i(pip)' as never, control as never) as unknown as number
    }
    methods.dispose()
    file.dispose()
  } finally {
    wasm.pstack.restore(top)
  }
}

type Control = (file: number, operation: number, answer: number) => number

const letGo = new Set<number>()

/** Without the storage's reserve, which is kept in the journal, too. */
function transaction<T>(database: SqliteDatabase, work: () => T): T {
  database.execute('BEGIN IMMEDIATE')
  try {
    const answer = work()
    database.execute('COMMIT')
    return answer
  } catch (error) {
    try {
      database.execute('ROLLBACK')
    } catch {
      // The power is gone, and the connection with it: the first error is the one to report.
    }
    throw error
  }
}
