/**
 * Tests salvage from damaged stores: every record that comes out equals the stored one, missing ones are counted, and
 * no bit of the store is changed. Stores in the fake OPFS and in the page log; T7 salvages stores written by the
 * shipped code.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { directoryName, rootDirectory } from '../../../src/protocol/store-directory.ts'
import { openSalvage } from '../../../worker/salvage/open-salvage.ts'
import type { OpenSalvage } from '../../../worker/salvage/salvage-of.ts'
import { all, first } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { pageBytes } from '../../../worker/sqlite/pages/page-file.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { takeLockFile } from '../../../worker/storage/opfs/lock-file.ts'
import { openDamaged } from '../../../worker/storage/recovery/open-damaged.ts'
import { createRandom } from '../../support/data/random.ts'
import { sized } from '../../support/data/sized.ts'
import {
  bytesOf,
  diskWith,
  headBytes,
  openSealable,
  problemsOf,
  recordsIn,
} from '../../support/stores/damaged-stores.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openOver } from '../../support/stores/open-over.ts'
import { imported, portableOptions } from '../../support/stores/portable.ts'
import { useDisk } from '../../torture/node-opfs/install.ts'
import { createFakeOpfs, type FakeOpfs } from '../../torture/t3/fake-opfs.ts'
import { damage, fill, name, records, slow, tally, told } from './salvaged-stores.ts'

type Stood = ReturnType<typeof recordsIn>

interface Kept {
  readonly disk: FakeOpfs
  readonly bytes: Uint8Array
  readonly stood: Stood
}

/** The store as it lies on disk, and its export. */
async function inOpfs(hasRightChecksum: boolean): Promise<Kept> {
  const storage = hasRightChecksum ? await openSealable() : await openMemory(await initSqlite(), 'unsealed')
  const { engine, bytes } = await fill(storage)
  const disk = await diskWith(name, storage.database, engine.revision())
  await engine.call('close', {}, { now: startOfTime })
  return { disk, bytes, stood: recordsIn([bytes]) }
}

async function salvageDisk(disk: FakeOpfs): Promise<OpenSalvage> {
  useDisk(disk)
  return openSalvage(await initSqlite(), { name, storage: 'opfs' })
}

function editDatabase(disk: FakeOpfs, change: (bytes: Uint8Array<ArrayBuffer>) => void): FakeOpfs {
  const copy = disk.copy()
  copy.edit((path, bytes) => {
    if (!path.endsWith('/a')) return null
    change(bytes)
    return bytes
  })
  return copy
}

async function keptOf(open: () => Promise<OpenSalvage>, stood: Stood, seed: number): Promise<number> {
  try {
    const salvage = await open()
    expect(problemsOf(salvage, stood), `seed ${seed}`).toEqual([])
    salvage.close()
    return salvage.receipt.records
  } catch (error) {
    expect(error, `seed ${seed}`).toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('Nothing can be'),
    })
    return 0
  }
}
const before = globalThis.FileSystemFileHandle
let sealed: Kept
beforeAll(async () => {
  class FileHandle {
    createSyncAccessHandle() {}
  }
  Object.assign(globalThis, { FileSystemFileHandle: FileHandle })
  sealed = await inOpfs(true)
})
afterAll(() => void Object.assign(globalThis, { FileSystemFileHandle: before }))

describe('in OPFS', () => {
  test('[X1] a sound store gives the bytes of its own export, twice, and a new store imports them', async () => {
    const salvage = await salvageDisk(sealed.disk)
    expect(salvage.receipt).toEqual({
      storage: 'opfs',
      records,
      unreadable: 0,
      unreadableIds: [],
      isCountExact: true,
      incomplete: {},
      missingChanges: 0,
    })
    for (let time = 0; time < 2; time++)
      expect(Buffer.concat([...salvage.exportParts()]).equals(sealed.bytes)).toBe(true)
    const fresh = await openOver(portableOptions)
    expect(await imported(fresh, Buffer.concat([...salvage.exportParts()]))).toMatchObject({ inserted: records })
    salvage.close()
  })

  test(
    'one damaged page: what comes out is what was stored, what does not is counted, no bit is changed',
    async () => {
      const pages = pagesOf(sealed.disk)
      const kept = await tally(sized(32), async (seed) => {
        const random = createRandom(seed)
        const number = random.below(pages)
        const disk = editDatabase(sealed.disk, (bytes) =>
          damage(bytes, headBytes + number * pageBytes, pageBytes, random),
        )
        const stored = bytesOf(disk)
        const count = await keptOf(() => salvageDisk(disk), sealed.stood, seed)
        expect(bytesOf(disk)).toBe(stored)
        return count
      })
      told('one page of OPFS', kept)
      expect(kept.mean).toBeGreaterThan(0.8)
    },
    slow,
  )

  test(
    'a tenth of all pages',
    async () => {
      const pages = pagesOf(sealed.disk)
      const kept = await tally(sized(12), async (seed) => {
        const random = createRandom(seed)
        // The first pages hold the schema: without them nothing comes out, which the test above covers.
        const disk = editDatabase(sealed.disk, (bytes) => {
          for (let i = 0; i < pages / 10; i++)
            damage(bytes, headBytes + (3 + random.below(pages - 3)) * pageBytes, pageBytes, random)
        })
        return keptOf(() => salvageDisk(disk), sealed.stood, seed)
      })
      told('a tenth of the pages of OPFS', kept)
    },
    slow,
  )

  test('headers of files and the lock file may be damaged, a damaged index loses nothing, the acknowledged end is reported', async () => {
    const disk = sealed.disk.copy()
    disk.edit((path, bytes) => {
      if (path.endsWith('/a')) bytes.fill(0x77, 0, headBytes)
      if (path.endsWith('/presence')) bytes.fill(0x77)
      return bytes
    })
    const salvage = await salvageDisk(disk)
    expect(salvage.receipt).toMatchObject({ records, unreadable: 0, missingChanges: null })
    expect(problemsOf(salvage, sealed.stood)).toEqual([])
    salvage.close()

    const ahead = sealed.disk.copy()
    useDisk(ahead)
    const lockFile = await takeLockFile(await folderOf(ahead))
    lockFile.note(lockFile.noted() + 3)
    lockFile.release()
    const short = await salvageDisk(ahead)
    expect(short.receipt).toMatchObject({ records, missingChanges: 3 })
    short.close()
  })

  test('a damaged index of tags loses no tag', async () => {
    useDisk(sealed.disk)
    const read = await openDamaged(await initSqlite(), name, 'opfs')
    const sql = `SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'tags'`
    const roots = all(read.database, sql, [], (row) => row.number(0))
    read.close()
    expect(roots.length).toBeGreaterThan(0)
    const damaged = editDatabase(sealed.disk, (bytes) => {
      for (const root of roots) bytes.fill(0x77, headBytes + (root - 1) * pageBytes, headBytes + root * pageBytes)
    })
    const salvage = await salvageDisk(damaged)
    expect(salvage.receipt).toMatchObject({ records, unreadable: 0 })
    expect(salvage.receipt.incomplete).toEqual({})
    expect(Buffer.concat([...salvage.exportParts()]).equals(sealed.bytes)).toBe(true)
    salvage.close()
  })

  test('[E1] a store that cannot be salvaged gives the reason', async () => {
    useDisk(createFakeOpfs())
    const sqlite3 = await initSqlite()
    await expect(openSalvage(sqlite3, { name, storage: 'opfs' })).rejects.toMatchObject({ code: 'DATA_MISSING' })
    await expect(openSalvage(sqlite3, { name, storage: 'auto' })).rejects.toMatchObject({ code: 'DATA_MISSING' })
    const headless = editDatabase(sealed.disk, (bytes) => void bytes.fill(0x77, headBytes, headBytes + pageBytes))
    await expect(salvageDisk(headless)).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('Nothing can be salvaged'),
    })
    const held = sealed.disk.copy()
    const lockFile = await takeLockFile(await folderOf(held))
    await expect(salvageDisk(held)).rejects.toMatchObject({ code: 'STORE_BUSY' })
    lockFile.release()
    const salvage = await salvageDisk(held)
    expect(salvage.receipt.records).toBe(records)
    salvage.close()
  })

  test('control: without checksums another text would come out; its hash belongs to no record of the store, and it is counted', async () => {
    const { disk, stood } = await inOpfs(false)
    const [, target] = [...stood].find(([, { given }]) => (given.record.body ?? '').includes('acorn')) ?? []
    const body = target!.given.record.body!
    const changed = editDatabase(disk, (bytes) => {
      const at = Buffer.from(bytes).indexOf(body)
      expect(at).toBeGreaterThan(0)
      bytes[at + body.indexOf('acorn')] = 'A'.charCodeAt(0)
    })
    const salvage = await salvageDisk(changed)
    expect(problemsOf(salvage, stood)).toEqual([])
    expect(salvage.receipt).toMatchObject({ records: records - 1, unreadable: 1, unreadableIds: [target?.record.id] })
    salvage.close()
    // Reading those bytes without checks gives the other text.
    useDisk(changed)
    const read = await openDamaged(await initSqlite(), name, 'opfs')
    const sql = `SELECT body FROM records WHERE id = ?`
    expect(first(read.database, sql, [target!.record.id], (row) => row.text(0))).toBe(body.replace('acorn', 'Acorn'))
    read.close()
    // And a salvage that counts nothing, or returns records that were never stored, is detected.
    const silent = {
      receipt: { ...salvage.receipt, unreadable: 0, unreadableIds: [] },
      exportParts: salvage.exportParts,
    }
    const again = await salvageDisk(changed)
    expect(problemsOf({ ...silent, exportParts: again.exportParts }, stood)).toEqual([
      `${records - 1} + 0 of ${records}`,
    ])
    expect(problemsOf(again, new Map([...stood].slice(1)))).not.toEqual([])
    again.close()
  })
})

async function folderOf(disk: FakeOpfs): Promise<FileSystemDirectoryHandle> {
  const root = await (await disk.getDirectory()).getDirectoryHandle(rootDirectory)
  return root.getDirectoryHandle(directoryName(name))
}

function pagesOf(disk: FakeOpfs): number {
  let pages = 0
  editDatabase(disk, (bytes) => void (pages = (bytes.length - headBytes) / pageBytes))
  return pages
}
