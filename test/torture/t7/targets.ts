/** What T7 damages: databases, heads and journals of stores on a disk, and stores in pages. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { RecallError } from '../../../src/core/model/errors.ts'
import { createEngineOver, type Engine } from '../../../worker/engine/engine.ts'
import type { StagedRecord } from '../../../worker/export-format/staging.ts'
import { openSalvage } from '../../../worker/salvage/open-salvage.ts'
import { type OpenSalvage, salvageOf } from '../../../worker/salvage/salvage-of.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { openDamagedLog } from '../../../worker/storage/recovery/open-damaged.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { bytesOf, problemsOf, recordsIn } from '../../support/stores/damaged-stores.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { createMemoryByteStore, type MemoryByteStore } from '../../support/stores/memory-byte-store.ts'
import { openPaged, shortLimits } from '../../support/stores/open-paged.ts'
import { createFakeOpfs, type FakeOpfs } from '../t3/fake-opfs.ts'
import { opfsDisk, opfsDiskWith, type SickDisk } from '../t4/disks.ts'
import { exportAll, space, vectorOf } from '../t4/script.ts'
import { digestOf, honest, mutated, now } from './hurt-bytes.ts'
import type { Salvaged, Target } from './stored.ts'

/** Compares a salvage with the original content; `bytes` are the stored ones, which must not change. */
async function salvagedOf(
  open: () => Promise<OpenSalvage>,
  stood: ReadonlyMap<string, StagedRecord>,
  bytes: () => string,
): Promise<readonly string[] | Salvaged> {
  const before = bytes()
  try {
    const salvaging = await open()
    // A journal that ends early omits everything after its end.
    const problems = problemsOf(salvaging, stood).filter((problem) => !/^\d+ \+ \d+ of /.test(problem))
    salvaging.close()
    if (bytes() !== before) return ['the stored bytes changed']
    return problems.length > 0 ? problems : { records: salvaging.receipt.records, stood: stood.size }
  } catch (error) {
    if (error instanceof RecallError && honest.includes(error.code)) return { records: 0, stood: stood.size }
    throw error
  }
}

/** A closed database in OPFS; `isControl`: like files from before page checksums. */
export async function databaseTarget(sqlite3: Sqlite3Static, isControl = false): Promise<Target> {
  const disk = isControl ? await unsealedDisk(sqlite3) : createFakeOpfs()
  await write(await openEngine(() => opfsDisk(sqlite3, disk).open()), 60)
  disk.kill()
  const edit: Edit = (_path, bytes, random) =>
    nameIn(bytes) === '/store.sqlite' ? mutated(bytes, random, headerBytes) : null
  return diskTarget(sqlite3, isControl ? 'database without seals' : 'database, closed', disk, edit, isControl)
}

/** The header of every file of the pool, and the lock file. */
export async function headTarget(sqlite3: Sqlite3Static): Promise<Target> {
  const disk = createFakeOpfs()
  await write(await openEngine(() => opfsDisk(sqlite3, disk).open()), 20)
  disk.kill()
  return diskTarget(sqlite3, 'heads of files, lock file', disk, (_path, bytes, random) =>
    random.below(3) > 0 ? null : flipped(bytes, random, 0, Math.min(bytes.length, 528)),
  )
}

/** A journal left by a kill, with commits that are not in the database yet. */
export async function journalTarget(sqlite3: Sqlite3Static): Promise<Target> {
  const disk = createFakeOpfs()
  await write(await openEngine(() => opfsDisk(sqlite3, disk).open()), 20)
  const engine = await openEngine(() => opfsDisk(sqlite3, disk).open())
  for (let from = 20; from < 40; from += 5) await put(engine, from, from + 5)
  disk.kill()
  return diskTarget(sqlite3, 'journal of a kill', disk, (_path, bytes, random) =>
    nameIn(bytes) === '/store.sqlite-wal' && bytes.length > headerBytes ? mutated(bytes, random, headerBytes) : null,
  )
}

/** The page log over a byte store: journal, both generations, state. */
export async function pagedTarget(): Promise<Target> {
  const bytes = createMemoryByteStore()
  await write(await openEngine(() => openPaged(bytes, shortLimits)), 40)
  const right = await digestOver(() => openPaged(bytes.copy(), shortLimits))
  const stood = await recordsOver(() => openPaged(bytes.copy(), shortLimits))
  const sqlite3 = await initSqlite()
  let changed = bytes
  return {
    title: 'page log',
    isRight: (digest) => digest === right,
    salvage: async (engine) => {
      await end(engine)
      const spelled = () =>
        [...changed.values].map(([key, value]) => key + Buffer.from(value).toString('base64')).join()
      return salvagedOf(() => salvageOf(() => openDamagedLog(sqlite3, options.name, changed)), stood, spelled)
    },
    open: (random) => {
      changed = bytes.copy()
      const times = random.pick([1, 1, 2, 3])
      const isChanged = Array.from({ length: times }, () => mutateValue(changed, random)).includes(true)
      return isChanged ? openEngine(() => openPaged(changed, shortLimits)) : Promise.resolve(null)
    },
    end,
  }
}

type Edit = (path: string, bytes: Uint8Array<ArrayBuffer>, random: Random) => Uint8Array<ArrayBuffer> | null

async function diskTarget(
  sqlite3: Sqlite3Static,
  title: string,
  disk: FakeOpfs,
  edit: Edit,
  isControl = false,
): Promise<Target> {
  let current: SickDisk | null = null
  let currentDisk = disk
  const copied = (random: Random | null) => {
    const copy = disk.copy()
    let isChanged = random === null
    copy.edit((path, bytes) => {
      const changed = random === null ? null : edit(path, bytes, random)
      if (changed !== null) isChanged = true
      return changed
    })
    current = opfsDisk(sqlite3, copy)
    currentDisk = copy
    return isChanged ? current : null
  }
  const leave = async (engine: Engine | null) => {
    await end(engine)
    current?.kill()
    current?.wipe()
  }
  const engine = await openEngine(() => copied(null)!.open())
  const right = await digestOf(engine)
  const stood = recordsIn([
    await exportAll({ call: (method, request, at) => engine.call(method, request, { now: at }) }, now),
  ])
  await leave(engine)
  return {
    title,
    isRight: (digest) => digest === right,
    // Without checksums other times and weights come out: nothing else verifies them.
    salvage: isControl
      ? null
      : async (engine) => {
          await end(engine)
          const open = () => openSalvage(sqlite3, { name: options.name, storage: 'opfs' })
          return salvagedOf(open, stood, () => bytesOf(currentDisk))
        },
    open: async (random) => {
      const changed = copied(random)
      return changed === null ? null : openEngine(() => changed.open())
    },
    end: leave,
  }
}

async function openEngine(open: () => Promise<OpenStorage>): Promise<Engine> {
  const storage = await open()
  try {
    const engine = createEngineOver(storage, options, null)
    await storage.flush?.()
    return engine
  } catch (error) {
    await storage.close().catch(() => undefined)
    throw error
  }
}

async function recordsOver(open: () => Promise<OpenStorage>): Promise<ReadonlyMap<string, StagedRecord>> {
  const engine = await openEngine(open)
  const records = recordsIn([
    await exportAll({ call: (method, request, at) => engine.call(method, request, { now: at }) }, now),
  ])
  await end(engine)
  return records
}

async function digestOver(open: () => Promise<OpenStorage>): Promise<string> {
  const engine = await openEngine(open)
  const digest = await digestOf(engine)
  await end(engine)
  return digest
}

/** A damaged store may fail to write when it is closed; that is allowed. */
async function end(engine: Engine | null): Promise<void> {
  await engine?.call('close', {}, { now }).catch(() => undefined)
}

async function write(engine: Engine, count: number): Promise<void> {
  for (let from = 0; from < count; from += 10) await put(engine, from, Math.min(count, from + 10))
  await engine.call('forget', { ids: ['m3', 'm7'] }, { now })
  await engine.call('link', { a: 'm1', b: 'm2', weight: 0.5 }, { now })
  await engine.call('close', {}, { now })
}

async function put(engine: Engine, from: number, to: number): Promise<void> {
  const words = ['jay', 'acorn', 'cache', 'oak', 'winter', 'ledger', 'token', 'nest']
  const batch = Array.from({ length: to - from }, (_, i) => {
    const number = from + i
    const random = createRandom(number)
    const text = (length: number) => Array.from({ length }, () => random.pick(words)).join(' ')
    const id = `m${number}`
    // Some longer than a page.
    return { id, title: text(5), body: text(number % 6 === 0 ? 3_000 : 80), tags: [id], vectors: vectorOf(number) }
  })
  await engine.call('put', { batch }, { now })
}

/** A file from another program, and so without room for page checksums. */
async function unsealedDisk(sqlite3: Sqlite3Static): Promise<FakeOpfs> {
  const disk = createFakeOpfs()
  const memory = await openMemory(sqlite3, 'unsealed')
  createEngineOver(memory, options, null)
  await opfsDiskWith(sqlite3, memory.database, disk)
  return disk
}

/** Files of the pool begin with a header of this size, and the header with the path. */
const headerBytes = 4_096

function nameIn(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, Math.max(0, bytes.indexOf(0))))
}

function flipped(bytes: Uint8Array<ArrayBuffer>, random: Random, from: number, to: number) {
  if (to <= from) return null
  const changed = bytes.slice()
  const at = from + random.below(to - from)
  changed[at] = changed[at]! ^ (1 << random.below(8))
  return changed
}

/** Changes one value, swaps it for another, or removes it. Returns whether anything differs. */
function mutateValue({ values }: MemoryByteStore, random: Random): boolean {
  const keys = [...values.keys()].toSorted()
  const key = random.pick(keys)
  const kind = random.below(6)
  if (kind === 0) return values.delete(key)
  if (kind === 1) {
    const other = values.get(random.pick(keys))!
    const isOther = !Buffer.from(other).equals(Buffer.from(values.get(key) as Uint8Array))
    values.set(key, other.slice())
    return isOther
  }
  const changed = mutated(values.get(key)!, random, 0)
  if (changed !== null) values.set(key, changed)
  return changed !== null
}

const options: Parameters<typeof createEngineOver>[1] = {
  ...engineOptions,
  name: 't4',
  storage: 'opfs',
  runtime: 'worker',
  space,
}
