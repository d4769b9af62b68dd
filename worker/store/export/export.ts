/**
 * Exports while the store goes on being written: each sees the one revision it began at. Records are read when their turn
 * comes; what a write is about to change before that is kept aside first, by triggers that exist only while an export runs.
 */
import { type RecallError, recallError } from '../../../src/core/model/errors.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import type { PortableFile } from '../../export-format/block.ts'
import { createContainerWriter } from '../../export-format/container.ts'
import { encodeJsonFrame, frameKinds, type Header } from '../../export-format/frames.ts'
import { all, first } from '../../sqlite/database.ts'
import type { SqliteDatabase } from '../../sqlite/sqlite-database.ts'
import { tiersAreHeld } from '../derived/authority-tiers.ts'
import type { StoreSettings } from '../migrations/migration.ts'
import { readFiles, readFrames } from './read-block.ts'

/** An export under way. */
export interface ExportSession {
  /** The next bytes, about a quarter of a megabyte; null: the last ones were taken. Throws what made it end early. */
  next(): Uint8Array<ArrayBuffer> | null
  /** Records written, and records in all. */
  progress(): { readonly done: number; readonly total: number }
  /** Bytes kept aside of a record. */
  bytesHeld(id: string): number
  /** Lets go of everything; ended ones may be ended again. */
  end(): void
}

export interface Exports {
  begin(): ExportSession
  bytesHeld(id: string): number
  /** Ends those under way: the store is closed, or its rows are others now. */
  close(): void
}

/** Bytes handed over at once. */
const partBytes = 256 * 1024
/** Records looked up at once. */
const batchRecords = 64
/** Bytes of records kept aside for one export. */
const maxAside = 64 * 1024 * 1024

interface Running extends ExportSession {
  /** A record is about to change. */
  keep(id: string, read: () => Uint8Array<ArrayBuffer> | null): void
  keepFiles(): void
  fail(error: RecallError): void
}

export function createExports(database: SqliteDatabase, settings: StoreSettings): Exports {
  const running = new Set<Running>()
  let isRegistered = false

  const watch = () => {
    if (!isRegistered) register(database, running)
    isRegistered = true
    for (const statement of triggers) database.execute(`CREATE TEMP TRIGGER IF NOT EXISTS ${statement}`)
  }
  const unwatch = () => {
    for (const statement of triggers) database.execute(`DROP TRIGGER IF EXISTS temp.${statement.split(' ', 1)[0]}`)
  }

  return {
    begin() {
      if (running.size === 0) watch()
      const session = openSession(database, settings, () => {
        if (running.delete(session) && running.size === 0) unwatch()
      })
      running.add(session)
      return session
    },
    bytesHeld: (id) => [...running].reduce((sum, session) => sum + session.bytesHeld(id), 0),
    close() {
      for (const session of running) {
        session.fail(ended())
        session.end()
      }
    },
  }
}

function openSession(database: SqliteDatabase, settings: StoreSettings, ended: () => void): Running {
  const count = (table: string) => first(database, `SELECT count(*) FROM ${table}`, [], (row) => row.number(0)) ?? 0
  const counts = { records: count('records'), files: count('file_states') }
  const held = tiersAreHeld(database) ? { tiersAreHeld: true as const } : {}
  const header: Header = { format: 1, ...settings, ...counts, ...held }
  const writer = createContainerWriter()
  writer.write(encodeJsonFrame(frameKinds.header, header))
  /** By id, what a record was when the export began; null: it was not there. */
  const aside = new Map<string, Uint8Array<ArrayBuffer> | null>()
  let asideBytes = 0
  let files: readonly PortableFile[] | null = null
  let failure: RecallError | null = null
  let position = ''
  let done = 0
  let isDone = false

  const end = () => {
    isDone = true
    aside.clear()
    ended()
  }

  /** Writes the records after `position`; false when there is none. */
  const writeBatch = (): boolean => {
    const stored = all(
      database,
      `SELECT id, key FROM records WHERE id > ? ORDER BY id LIMIT ${batchRecords}`,
      [position],
      (row) => [row.text(0), row.number(1)] as const,
    )
    const keys = new Map(stored)
    const last = stored.length < batchRecords ? null : (stored.at(-1)?.[0] ?? null)
    const kept = [...aside.keys()].filter((id) => last === null || compareCodePoints(id, last) <= 0)
    const ids = [...new Set([...keys.keys(), ...kept])].sort(compareCodePoints)
    for (const id of ids) {
      if (writer.size() >= partBytes) return true
      const held = aside.get(id)
      const frames = held === undefined ? readFrames(database, keys.get(id)!) : held
      if (frames !== null) {
        writer.write(frames)
        done++
      }
      asideBytes -= held?.length ?? 0
      aside.delete(id)
      position = id
    }
    return ids.length > 0
  }

  return {
    next() {
      if (failure !== null) {
        end()
        throw failure
      }
      if (isDone) return null
      return database.reading(() => {
        while (writer.size() < partBytes) {
          if (writeBatch()) continue
          for (const file of files ?? readFiles(database)) writer.write(encodeJsonFrame(frameKinds.file, file))
          writer.end()
          end()
          break
        }
        return writer.take()
      })
    },
    progress: () => ({ done, total: header.records }),
    bytesHeld: (id) => aside.get(id)?.length ?? 0,
    end,
    keep(id, read) {
      if (isDone || failure !== null || aside.has(id) || compareCodePoints(id, position) <= 0) return
      const frames = read()
      aside.set(id, frames)
      asideBytes += frames?.length ?? 0
      if (asideBytes > maxAside) this.fail(tooMuch())
    },
    keepFiles() {
      if (!isDone) files ??= readFiles(database)
    },
    // Called in the middle of a write: its triggers must not go under it, so the end comes later.
    fail(error) {
      failure ??= error
      isDone = true
      aside.clear()
    },
  }
}

/**
 * The functions the triggers call: with the key of a record that is about to change, with the id of one about to come.
 * They never throw: that an export cannot go on is no reason to refuse a write.
 */
function register(database: SqliteDatabase, running: ReadonlySet<Running>): void {
  const { capi } = database.sqlite3
  const define = (name: string, work: (value: unknown) => void) =>
    capi.sqlite3_create_function_v2(
      database.pointer,
      name,
      1,
      // The typings know the encoding alone; the flags are SQLite's own.
      (capi.SQLITE_UTF8 | capi.SQLITE_INNOCUOUS) as typeof capi.SQLITE_UTF8,
      0 as never,
      (_context: number, value: unknown) => {
        try {
          work(value)
        } catch (error) {
          for (const session of running) session.fail(broken(error))
        }
        return null
      },
      0 as never,
      0 as never,
      0 as never,
    )
  define('export_keep', (key) => {
    const id = first(database, idSql, [Number(key)], (row) => row.text(0))
    if (id === undefined) return
    for (const session of running) session.keep(id, () => readFrames(database, Number(key)))
  })
  define('export_absent', (id) => {
    for (const session of running) session.keep(String(id), () => null)
  })
  define('export_files', () => {
    for (const session of running) session.keepFiles()
  })
}

const idSql = `SELECT id FROM records WHERE key = ?`

/** Before each first change of anything a block is read from. A link stands with the larger id, so both ends count. */
const triggers: readonly string[] = [
  `export_new BEFORE INSERT ON main.records BEGIN SELECT export_absent(new.id); END`,
  `export_old BEFORE UPDATE ON main.records BEGIN SELECT export_keep(old.key); END`,
  // Their links are looked up by key, which is another one before the links themselves follow.
  `export_moved BEFORE UPDATE OF key ON main.records BEGIN
    SELECT export_keep(other) FROM links WHERE key = old.key; END`,
  `export_gone BEFORE DELETE ON main.records BEGIN
    SELECT export_keep(old.key); SELECT export_keep(other) FROM links WHERE key = old.key; END`,
  ...[
    'tags',
    'files',
    'terms',
    'anchors',
    'reasons',
    'risks',
    'relations',
    'learned',
    'cycles',
    'accesses',
    'predictions',
    'proposals',
  ].flatMap((table) => watched(table, ['key'])),
  ...watched('links', ['key', 'other']),
  ...watched('vectors', ['slot'], ' / 4096'),
  ...watched('file_states', ['path'], '', 'export_files'),
]

function watched(table: string, columns: readonly string[], divided = '', call = 'export_keep'): readonly string[] {
  const keep = (row: 'old' | 'new') => columns.map((column) => `SELECT ${call}(${row}.${column}${divided});`).join(' ')
  return [
    `export_${table}_new BEFORE INSERT ON main.${table} BEGIN ${keep('new')} END`,
    `export_${table}_old BEFORE UPDATE ON main.${table} BEGIN ${keep('old')} END`,
    `export_${table}_gone BEFORE DELETE ON main.${table} BEGIN ${keep('old')} END`,
  ]
}

function tooMuch(): RecallError {
  return recallError('STORE_BUSY', 'During the export more records changed than the export can keep', {
    hint: 'Export again. Read its bytes faster, or write less meanwhile.',
  })
}

function ended(): RecallError {
  return recallError('LEADER_LOST', 'The store closed during the export', { hint: 'Export again.' })
}

function broken(error: unknown): RecallError {
  const reason = error instanceof Error ? error.message : String(error)
  return recallError('STORE_CORRUPT', `The export could not keep a record: ${reason}`, { hint: 'Export again.' })
}
