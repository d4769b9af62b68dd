/**
 * T7 for stored bytes: stores at rest, closed or killed, in which something is flipped, cut, overwritten or moved.
 * Opened again, every request answers as before, or with STORE_CORRUPT: no other record, no empty store.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { RecallError } from '../../../src/core/model/errors.ts'
import { sha256HexOfBytes } from '../../../src/core/text/hash/sha256.ts'
import { unpackResult } from '../../../src/protocol/packed-result.ts'
import { createEngineOver, type Engine } from '../../../worker/engine/engine.ts'
import type { StagedRecord } from '../../../worker/export-format/staging.ts'
import { openSalvage } from '../../../worker/salvage/open-salvage.ts'
import { type OpenSalvage, salvageOf } from '../../../worker/salvage/salvage-of.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { openDamagedLog } from '../../../worker/storage/recovery/open-damaged.ts'
import { openGraphEnvelope, writeGraphEnvelope } from '../../../worker/vector/hnsw/graph-envelope.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { bytesOf, problemsOf, recordsIn } from '../../support/stores/damaged-stores.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { createMemoryByteStore, type MemoryByteStore } from '../../support/stores/memory-byte-store.ts'
import { openPaged, shortLimits } from '../../support/stores/open-paged.ts'
import { createFakeOpfs, type FakeOpfs } from '../t3/fake-opfs.ts'
import { opfsDisk, opfsDiskWith, type SickDisk } from '../t4/disks.ts'
import { type Caller, exportAll, space, vectorOf } from '../t4/script.ts'

/** A kind of stored bytes: its name, and a function that opens a mutant of it. */
export interface Target {
  readonly title: string
  /** Puts the mutant of this seed in place and opens the store. Null: the mutation changed nothing. */
  open(random: Random): Promise<Engine | null>
  /** Whether the digest of a mutant's answers is that of the original store. */
  isRight(digest: string): boolean
  /** The content of the mutant that was opened last, after its engine was ended. Null: no content is expected. */
  salvage: ((engine: Engine | null) => Promise<readonly string[] | Salvaged>) | null
  end(engine: Engine | null): Promise<void>
}

/** What came out of one store. */
export interface Salvaged {
  readonly records: number
  readonly stood: number
}

export interface StoredCounts {
  right: number
  corrupt: number
  unchanged: number
  /** Of the refused ones: records that came out, records that had been in, and stores that gave nothing, or all. */
  readonly salvaged: { records: number; stood: number; none: number; all: number }
  /** Each with its seed. */
  readonly wrong: string[]
}

const slowestMs = 5_000

/** Codes that a damaged store may have. */
const honest: readonly string[] = ['STORE_CORRUPT', 'DATA_MISSING']

const noCounts = (): StoredCounts => ({
  right: 0,
  corrupt: 0,
  unchanged: 0,
  salvaged: { records: 0, stood: 0, none: 0, all: 0 },
  wrong: [],
})

export async function runTarget(target: Target, from: number, count: number): Promise<StoredCounts> {
  const counts = noCounts()
  for (let seed = from; seed < from + count; seed++) {
    const startedMs = performance.now()
    let salvagingMs = 0
    let engine: Engine | null = null
    try {
      engine = await target.open(createRandom(seed))
      if (engine === null) counts.unchanged += 1
      else if (target.isRight(await digestOf(engine))) counts.right += 1
      else counts.wrong.push(`seed ${seed}: other answers`)
    } catch (error) {
      if (error instanceof RecallError && honest.includes(error.code)) {
        counts.corrupt += 1
        const refusedMs = performance.now()
        await salvage(target, engine, seed, counts)
        salvagingMs = performance.now() - refusedMs
      } else
        counts.wrong.push(`seed ${seed}: ${error instanceof RecallError ? error.code : 'not typed'}: ${String(error)}`)
    }
    await target.end(engine)
    const tookMs = performance.now() - startedMs - salvagingMs
    if (tookMs > slowestMs) counts.wrong.push(`seed ${seed}: took ${Math.round(tookMs)} ms`)
  }
  return counts
}

async function salvage(target: Target, engine: Engine | null, seed: number, counts: StoredCounts): Promise<void> {
  if (target.salvage === null) return
  try {
    const found = await target.salvage(engine)
    if ('length' in found) counts.wrong.push(...found.map((problem) => `seed ${seed}: salvaged: ${problem}`))
    else {
      counts.salvaged.records += found.records
      counts.salvaged.stood += found.stood
      if (found.records === 0) counts.salvaged.none += 1
      if (found.records === found.stood) counts.salvaged.all += 1
    }
  } catch (error) {
    counts.wrong.push(`seed ${seed}: salvaged: ${String(error)}`)
  }
}

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

/** All observable state: the rows, a question in words, one by a vector, both integrity checks. */
async function digestOf(engine: Engine): Promise<string> {
  const call: Caller['call'] = (method, request, at) => engine.call(method, request, { now: at })
  const ask = async (query: object) => {
    const { hits } = unpackResult(await call('recall', { query: { ...query, limit: 100 } }, now))
    return hits.map(({ record: { id, title, body }, score }) => [id, title, body, score])
  }
  const answers = [await ask({ text: 'jay acorn' }), await ask({ vector: vectorOf(5), exact: true }), await ask({})]
  const content = sha256HexOfBytes(await exportAll({ call }, now))
  const { ok, sqlite, problems } = await call('integrityCheck', {}, now)
  // Damage reported for the rows that were read is correct, like STORE_CORRUPT.
  if (!ok && sqlite === 'damaged') throw new RecallError({ code: 'STORE_CORRUPT', message: problems.join('; ') })
  return `${content} ${sha256HexOfBytes(new TextEncoder().encode(JSON.stringify([answers, ok])))}`
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
  return diskTarget(sqlite3, 'heads of files, fence', disk, (_path, bytes, random) =>
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

/**
 * Graphs with a checksum: reading one back gives the saved graph, or nothing. Never throws. Wrong: mutants that were
 * accepted.
 */
export function runGraphMutants(from: number, count: number): StoredCounts {
  const counts = noCounts()
  const origin = { space: 'eight', dimensions: 8, revision: 7 }
  const graph = new Uint8Array(3_000).map((_, i) => (i * 31) & 255)
  const sealed = writeGraphEnvelope(origin, { keys: Uint32Array.from({ length: 50 }, (_, i) => i + 1), dead: 0, graph })
  for (let seed = from; seed < from + count; seed++) {
    const changed = mutated(Uint8Array.from(sealed), createRandom(seed), 0)
    if (changed === null) counts.unchanged += 1
    else {
      try {
        if (openGraphEnvelope(changed, origin) === null) counts.corrupt += 1
        else counts.wrong.push(`seed ${seed}: a damaged graph was believed`)
      } catch (error) {
        counts.wrong.push(`seed ${seed}: ${String(error)}`)
      }
    }
  }
  return counts
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

/**
 * One to three changes from `least` on: bits, bytes, blocks zeroed, moved or left out, an end removed. Null: no
 * change.
 */
function mutated(bytes: Uint8Array<ArrayBuffer>, random: Random, least: number): Uint8Array<ArrayBuffer> | null {
  let changed = bytes.slice()
  const place = (unit: number) => least + Math.floor(random.below(Math.max(1, changed.length - least)) / unit) * unit
  for (let i = random.pick([1, 1, 1, 2, 3]); i > 0; i--) {
    if (changed.length <= least) break
    const unit = random.pick([1, 16, 512, 4_096, 8_192])
    const [at, other] = [place(unit), place(unit)]
    const length = Math.min(unit, changed.length - at, changed.length - other)
    const kind = random.below(8)
    if (kind < 3) changed[at] = changed[at]! ^ (1 << random.below(8))
    else if (kind === 3) for (let n = 0; n < length; n++) changed[at + n] = random.below(256)
    else if (kind === 4) changed.fill(0, at, at + length)
    else if (kind === 5) changed.copyWithin(other, at, at + length)
    else if (kind === 6)
      changed = Uint8Array.from(Buffer.concat([changed.subarray(0, at), changed.subarray(at + length)]))
    else changed = changed.slice(0, at)
  }
  return Buffer.from(changed).equals(Buffer.from(bytes)) ? null : changed
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

const now = Date.UTC(2026, 1, 1)

const options: Parameters<typeof createEngineOver>[1] = {
  ...engineOptions,
  name: 't4',
  storage: 'opfs',
  runtime: 'worker',
  space,
}
