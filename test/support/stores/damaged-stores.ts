/**
 * Stores at rest for damage tests: in the fake OPFS, with checksums or without, and in the page log; and the salvage
 * of them.
 */
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { createStaging, type StagedRecord } from '../../../worker/export-format/staging.ts'
import type { OpenSalvage } from '../../../worker/salvage/salvage-of.ts'
import { all } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { reserveSeals } from '../../../worker/sqlite/pages/checksum-vfs.ts'
import { writePageChecksum } from '../../../worker/sqlite/pages/page-checksum.ts'
import { pageBytes } from '../../../worker/sqlite/pages/page-file.ts'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import { directoryName, poolDirectory, rootDirectory } from '../../../src/protocol/store-directory.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { takeLockFile } from '../../../worker/storage/opfs/lock-file.ts'
import { createFakeOpfs, type FakeOpfs } from '../../torture/t3/fake-opfs.ts'

/** Bytes of a pool file's header. */
export const headBytes = 4096

/** A database in memory whose pages have room for checksums. */
export async function openSealable() {
  const storage = await openMemory(await initSqlite(), 'sealable')
  reserveSeals(storage.database.sqlite3, storage.database.pointer)
  return storage
}

/** A disk with this database as a closed store of this name, acknowledged up to a revision. */
export async function diskWith(name: string, database: SqliteDatabase, revision: number): Promise<FakeOpfs> {
  const pages = all(database, 'SELECT data FROM sqlite_dbpage ORDER BY pgno', [], (row) => row.bytes(0))
  const file = new Uint8Array(headBytes + pages.length * pageBytes)
  file.set(new TextEncoder().encode('/store.sqlite'))
  const hasRightChecksum = pages[0]?.[20] === 8
  for (const [number, page] of pages.entries()) {
    if (hasRightChecksum) writePageChecksum(page, number)
    file.set(page, headBytes + number * pageBytes)
  }
  const disk = createFakeOpfs()
  const root = await (await disk.getDirectory()).getDirectoryHandle(rootDirectory, { create: true })
  const folder = await root.getDirectoryHandle(directoryName(name), { create: true })
  const lockFile = await takeLockFile(folder)
  lockFile.markCreated()
  lockFile.note(revision)
  lockFile.release()
  const pool = await folder.getDirectoryHandle(poolDirectory, { create: true })
  const files = await pool.getDirectoryHandle('.opaque', { create: true })
  const handle = await (await files.getFileHandle('a', { create: true })).createSyncAccessHandle()
  handle.write(file, { at: 0 })
  handle.flush()
  handle.close()
  return disk
}

/** Every file of a disk, for comparison. */
export function bytesOf(disk: FakeOpfs): string {
  const files: string[] = []
  disk.edit((path, bytes) => {
    files.push(`${path} ${Buffer.from(bytes).toString('base64')}`)
    return null
  })
  return files.join('\n')
}

/** The records of an export by id. */
export function recordsIn(parts: Iterable<Uint8Array>): ReadonlyMap<string, StagedRecord> {
  const staging = createStaging()
  for (const part of parts) staging.push(part)
  return new Map(staging.end().records.map((record) => [record.record.id, record]))
}

/** Parts of a record that a salvage may have to leave out, by their place in an export. */
const parts: readonly string[] = ['tags', 'files', 'terms', 'anchors', 'relations', 'cycles']

/**
 * Faults of a salvage, in words: records that were never stored, and losses that it does not report; empty: all that
 * comes out equals the original, and the rest is counted.
 */
export function problemsOf(
  { receipt, exportParts }: Pick<OpenSalvage, 'receipt' | 'exportParts'>,
  stood: ReadonlyMap<string, StagedRecord>,
): readonly string[] {
  const problems: string[] = []
  const found = recordsIn(exportParts())
  const told = receipt.incomplete
  if (found.size !== receipt.records) problems.push(`${receipt.records} counted, ${found.size} given`)
  for (const id of receipt.unreadableIds) if (found.has(id) || !stood.has(id)) problems.push(`${id} is not unreadable`)
  if (receipt.isCountExact && receipt.records + receipt.unreadable !== stood.size)
    problems.push(`${receipt.records} + ${receipt.unreadable} of ${stood.size}`)
  for (const [id, { given, chunks }] of found) {
    const before = stood.get(id)
    if (before === undefined) {
      problems.push(`${id} was never stored`)
      continue
    }
    compare(given.record, before.given.record, (name) => parts.includes(name) && told[name] !== undefined)
    compare(
      given,
      before.given,
      (name) => name === 'record' || told[name === 'reports' ? 'learned' : name] !== undefined,
    )
    const vectors = (of: StagedRecord['chunks']) => JSON.stringify(of.map((chunk) => [...chunk]))
    if (given.vectors !== undefined && vectors(chunks) !== vectors(before.chunks)) problems.push(`${id}: vectors`)
    function compare(is: object, was: object, mayLack: (name: string) => boolean) {
      for (const name of new Set([...Object.keys(is), ...Object.keys(was)])) {
        if (name === 'record') continue
        const [own, other] = [is, was].map((one) => (one as Readonly<Record<string, unknown>>)[name])
        if (own === undefined && mayLack(name)) continue
        // Links to lost records are lost, and one list of two may be damaged.
        if (name === 'links' && isPart(own ?? [], other)) continue
        // Where the outcomes of a record's cycles begin is lost with them.
        if (name === 'cycleStarts' && told['cycles'] !== undefined) continue
        if (canonicalJson(own) !== canonicalJson(other)) problems.push(`${id}: ${name}`)
      }
    }
  }
  return problems
}

function isPart(part: unknown, whole: unknown): boolean {
  const all = new Set((whole as readonly unknown[]).map((one) => JSON.stringify(one)))
  return (part as readonly unknown[]).every((one) => all.has(JSON.stringify(one)))
}
