/**
 * What is got out of damaged stores: every record that comes out is the one that was stored, what does not is counted, and not a bit
 * of the store is other than before. Stores in the fake OPFS and in the page log; T7 salvages what the shipped code stored.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngineOver } from '../../worker/engine.ts'
import { initSqlite } from '../../worker/persistence/init-sqlite.ts'
import { openMemory } from '../../worker/persistence/memory.ts'
import { openDamagedLog } from '../../worker/persistence/open-damaged.ts'
import { pageBytes } from '../../worker/persistence/page-file.ts'
import type { OpenStorage } from '../../worker/persistence/port.ts'
import { type OpenSalvage, openSalvage, salvageOf } from '../../worker/salvage/open-salvage.ts'
import { bytesOf, diskWith, headBytes, openSealable, problemsOf, recordsIn } from '../support/damaged-stores.ts'
import { engineOptions } from '../support/engine-options.ts'
import { createMemoryByteStore, type MemoryByteStore } from '../support/memory-byte-store.ts'
import { asHandedOn, startOfTime } from '../support/open-engine.ts'
import { openPaged, shortLimits } from '../support/open-paged.ts'
import { exported, fillRich, portableOptions } from '../support/portable.ts'
import { createRandom, type Random } from '../support/random.ts'
import { useDisk } from '../torture/node-opfs/install.ts'
import type { FakeOpfs } from '../torture/t3/fake-opfs.ts'

const name = 'damaged'
const records = 300

type Stood = ReturnType<typeof recordsIn>

interface Kept {
  readonly disk: FakeOpfs
  readonly stood: Stood
}

async function fill(storage: OpenStorage) {
  const engine = createEngineOver(storage, { ...engineOptions, ...portableOptions }, null)
  const opened = {
    database: storage.database,
    call: async (verb: never, request: never, now = startOfTime) => asHandedOn(verb, await engine.call(verb, request, { now })),
  } as unknown as Parameters<typeof fillRich>[0]
  await fillRich(opened, records, 7)
  return { engine, bytes: await exported(opened) }
}

async function inOpfs(isSealed: boolean): Promise<Kept> {
  const storage = isSealed ? await openSealable() : await openMemory(await initSqlite(), 'unsealed')
  const { engine, bytes } = await fill(storage)
  return { disk: await diskWith(name, storage.database, engine.revision()), stood: recordsIn([bytes]) }
}

async function salvageDisk(disk: FakeOpfs): Promise<OpenSalvage> {
  useDisk(disk)
  return openSalvage(await initSqlite(), { name, storage: 'opfs' })
}

/** The page of this number is other than it was. */
function damagePage(disk: FakeOpfs, number: number, random: Random): void {
  disk.edit((path, bytes) => {
    if (!path.endsWith('/a')) return null
    const page = bytes.subarray(headBytes + number * pageBytes, headBytes + (number + 1) * pageBytes)
    const kind = random.below(4)
    if (kind === 0) page.fill(0)
    else if (kind === 1) page[random.below(pageBytes)] = (page[random.below(pageBytes)] as number) ^ (1 << random.below(8)) ^ 1
    else if (kind === 2) page.set(bytes.subarray(headBytes + pageBytes, headBytes + 2 * pageBytes))
    else for (let i = 0; i < 512; i++) page[i] = random.below(256)
    return bytes
  })
}

function pagesOf(disk: FakeOpfs): number {
  let pages = 0
  disk.edit((path, bytes) => {
    if (path.endsWith('/a')) pages = (bytes.length - headBytes) / pageBytes
    return null
  })
  return pages
}

const before = globalThis.FileSystemFileHandle
beforeAll(() => {
  class FileHandle {
    createSyncAccessHandle() {}
  }
  Object.assign(globalThis, { FileSystemFileHandle: FileHandle })
})
afterAll(() => void Object.assign(globalThis, { FileSystemFileHandle: before }))

describe('in OPFS', () => {
  test('a store that is whole comes out whole', async () => {
    const { disk, stood } = await inOpfs(true)
    const salvage = await salvageDisk(disk)
    expect(salvage.receipt).toEqual({
      storage: 'opfs',
      records,
      unreadable: 0,
      unreadableIds: [],
      isCountExact: true,
      incomplete: {},
      missingChanges: 0,
    })
    expect(problemsOf(salvage, stood)).toEqual([])
    salvage.close()
  })
  test('one page', async () => {
    const { disk, stood } = await inOpfs(true)
    const pages = pagesOf(disk)
    const tally: Record<string, number> = {}
    for (let number = 0; number < pages; number++) {
      const copy = disk.copy()
      damagePage(copy, number, createRandom(number + 1))
      const was = bytesOf(copy)
      try {
        const salvage = await salvageDisk(copy)
        const p = problemsOf(salvage, stood)
        const { receipt: r } = salvage
        if (r.unreadable || p.length || Object.keys(r.incomplete).length || !r.isCountExact) console.log(number, r.records, r.unreadable, r.unreadableIds.length, r.isCountExact, JSON.stringify(r.incomplete), p.slice(0, 3))
        salvage.close()
      } catch (error) {
        console.log(number, String(error))
      }
      expect(bytesOf(copy)).toBe(was)
    }
    console.log('pages', pages)
  }, 300000)
})
