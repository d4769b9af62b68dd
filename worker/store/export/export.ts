/**
 * Exports the store while writes go on: each export sees the revision at which it began. Records are read in batches. If a write is
 * about to change a record that is not exported yet, triggers keep a copy first; they exist only while an export runs.
 */

import { type RecallError, recallError } from '../../../src/core/model/errors.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { createContainerWriter } from '../../../src/protocol/export-format/container.ts'
import { encodeJsonFrame, frameKinds, type Header } from '../../../src/protocol/export-format/frames.ts'
import type { PortableFile } from '../../export-format/block.ts'
import type { PortableTombstone } from '../../export-format/versions.ts'
import { above } from '../../scheduling/stored-order.ts'
import { all, countRows, first } from '../../sqlite/database.ts'
import { defineFunction } from '../../sqlite/define-function.ts'
import type { SqliteDatabase } from '../../sqlite/sqlite-database.ts'
import { headerSettings, type StoreSettings } from '../migrations/migration.ts'
import type { ExportSession } from '../port/transfer.ts'
import { tiersAreHeld } from '../rows/held-tiers.ts'
import { readFileStates } from '../rows/file-states.ts'
import { readFrames } from '../rows/read-block.ts'
import { readTombstones } from '../rows/tombstone-rows.ts'

export interface Exports {
  begin(): ExportSession
  bytesHeld(id: string): number
  /** Ends all running exports, because the store closes or its rows were replaced. */
  close(): void
}

/** Bytes returned by one call. */
const partBytes = 256 * 1024
/** Records looked up by one statement. */
const batchRecords = 64
/** Most bytes of copies for one export. */
const maxCopiedBytes = 64 * 1024 * 1024

interface Running extends ExportSession {
  /** Called before a record changes. */
  keep(id: string, read: () => Uint8Array<ArrayBuffer> | null): void
  keepFiles(): void
  keepTombstones(): void
  fail(error: RecallError): void
}

export function createExports(database: SqliteDatabase, settings: StoreSettings): Exports {
  const running = new Set<Running>()
  let isRegistered = false

  const watch = () => {
    if (!isRegistered) register(database, running)
    isRegistered = true
    for (const statement of exportTriggers) database.execute(`CREATE TEMP TRIGGER IF NOT EXISTS ${statement}`)
  }
  const unwatch = () => {
    for (const statement of exportTriggers)
      database.execute(`DROP TRIGGER IF EXISTS temp.${statement.split(' ', 1)[0]}`)
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
  const count = (table: string) => countRows(database, table)
  const counts = { records: count('records'), files: count('file_states'), tombstones: count('tombstones') }
  const heldTiers = tiersAreHeld(database) ? { tiersAreHeld: true as const } : {}
  const header: Header = { format: 3, ...headerSettings(settings), ...counts, ...heldTiers }
  const writer = createContainerWriter()
  writer.write(encodeJsonFrame(frameKinds.header, header))
  /** By id: a record as it was when the export began; null if it did not exist. */
  const copies = new Map<string, Uint8Array<ArrayBuffer> | null>()
  let copiedBytes = 0
  let files: readonly PortableFile[] | null = null
  let tombstones: readonly PortableTombstone[] | null = null
  let failure: RecallError | null = null
  let position = ''
  let done = 0
  let isDone = false

  const end = () => {
    isDone = true
    copies.clear()
    ended()
  }

  /** Writes the next records after `position`; false if there are none. */
  const writeBatch = (): boolean => {
    const stored = all(
      database,
      `SELECT id, key FROM records WHERE id > ? ORDER BY id LIMIT ${batchRecords}`,
      [position],
      (row) => [row.text(0), row.number(1)] as const,
    )
    stored.reduce((before, [id]) => above(before, id), position)
    const keys = new Map(stored)
    const last = stored.length < batchRecords ? null : (stored.at(-1)?.[0] ?? null)
    const copiedIds = [...copies.keys()].filter((id) => last === null || compareCodePoints(id, last) <= 0)
    const ids = [...new Set([...keys.keys(), ...copiedIds])].sort(compareCodePoints)
    for (const id of ids) {
      if (writer.size() >= partBytes) return true
      const copy = copies.get(id)
      const frames = copy === undefined ? readFrames(database, keys.get(id)!) : copy
      if (frames !== null) {
        writer.write(frames)
        done++
      }
      copiedBytes -= copy?.length ?? 0
      copies.delete(id)
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
          for (const file of files ?? readFileStates(database)) writer.write(encodeJsonFrame(frameKinds.file, file))
          for (const tombstone of tombstones ?? readTombstones(database))
            writer.write(encodeJsonFrame(frameKinds.tombstone, tombstone))
          writer.end()
          end()
          break
        }
        return writer.take()
      })
    },
    progress: () => ({ done, total: header.records }),
    bytesHeld: (id) => copies.get(id)?.length ?? 0,
    end,
    keep(id, read) {
      if (isDone || failure !== null || copies.has(id) || compareCodePoints(id, position) <= 0) return
      const frames = read()
      copies.set(id, frames)
      copiedBytes += frames?.length ?? 0
      if (copiedBytes > maxCopiedBytes) this.fail(tooMuch())
    },
    keepFiles() {
      if (!isDone) files ??= readFileStates(database)
    },
    keepTombstones() {
      if (!isDone) tombstones ??= readTombstones(database)
    },
    // Called during a write, when triggers cannot be dropped. `next` ends the export later.
    fail(error) {
      failure ??= error
      isDone = true
      copies.clear()
    },
  }
}

/**
 * Registers the functions that the triggers call with the key of a record that will change, or the id of a record that will be
 * inserted. They never throw: a write must not fail because an export cannot go on.
 */
function register(database: SqliteDatabase, running: ReadonlySet<Running>): void {
  const define = (name: string, work: (value: unknown) => void) =>
    defineFunction(database, { name, length: 1 }, (value) => {
      try {
        work(value)
      } catch (error) {
        for (const session of running) session.fail(broken(error))
      }
      return null
    })
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
  define('export_tombstones', () => {
    for (const session of running) session.keepTombstones()
  })
}

const idSql = `SELECT id FROM records WHERE key = ?`

/** Run before the first change of any row that an export reads. A link or a contradiction is exported with the larger id, so both ends count. */
export const exportTriggers: readonly string[] = [
  `export_new BEFORE INSERT ON main.records BEGIN SELECT export_absent(new.id); END`,
  `export_old BEFORE UPDATE ON main.records BEGIN SELECT export_keep(old.key); END`,
  // Links are looked up by key, and they get the new key only after their record.
  `export_moved BEFORE UPDATE OF key ON main.records BEGIN
    SELECT export_keep(other) FROM link_states WHERE key = old.key;
    SELECT export_keep(key + other - old.key) FROM contradictions WHERE old.key IN (key, other); END`,
  `export_gone BEFORE DELETE ON main.records BEGIN
    SELECT export_keep(old.key); SELECT export_keep(other) FROM link_states WHERE key = old.key;
    SELECT export_keep(key + other - old.key) FROM contradictions WHERE old.key IN (key, other); END`,
  ...[
    'tags',
    'files',
    'terms',
    'anchors',
    'reasons',
    'risks',
    'relations',
    'cycles',
    'reports',
    'report_summaries',
    'predictions',
    'proposals',
  ].flatMap((table) => watched(table, ['key'])),
  ...watched('link_states', ['key', 'other']),
  ...watched('contradictions', ['key', 'other']),
  ...watched('vectors', ['slot'], ' / 4096'),
  ...watched('file_states', ['path'], '', 'export_files'),
  ...watched('tombstones', ['mark'], '', 'export_tombstones'),
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
