/**
 * T11: a long life over the fake OPFS: puts, updates and deletes that keep the size of the store, and queries between
 * them. Red when the heap or the WebAssembly memories grow in the last half, when the file is larger than 1.3 × its
 * pages in use (its size after compaction is reported, too), when the last queries take more than twice the processor
 * time of the first, and when the growth of the control, which keeps every event, is not detected.
 */
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { createEngineOver, type Engine } from '../../../worker/engine/engine.ts'
import { first } from '../../../worker/sqlite/database.ts'
import { openStorage } from '../../../worker/storage/choose-storage.ts'
import { createRandom } from '../../support/data/random.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { installOpfs, useDisk } from '../node-opfs/install.ts'
import { type Outcome, print, quantile } from '../outcome.ts'
import { createFakeOpfs } from '../t3/fake-opfs.ts'

interface Window {
  readonly written: number
  readonly heapBytes: number
  readonly wasmBytes: number
  /** Of the queries, in processor time: other processes do not lengthen it. */
  readonly p95Ms: number
}

interface Life {
  readonly windows: readonly Window[]
  readonly live: number
  /** The file over its pages in use. */
  readonly fileShare: number
  /** The file divided by its size after compaction. */
  readonly compactedShare: number
  readonly problems: readonly string[]
}

const windowCount = 10
/** Records in a put, an update, and eight times as many in one forget. */
const perPut = 50
const questionsPerTurn = 4
const dimensions = 64
/** Growth in the last half that is tolerated: garbage of the collector. */
const slackShare = 0.02
const slackBytes = 500_000
const largestFileShare = 1.3
const slowestShare = 2

/** `--writes` of records, `--live` of them at a time, `--seed`. */
export async function runSoak(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      writes: { type: 'string', default: '20000' },
      live: { type: 'string' },
      seed: { type: 'string', default: '1' },
    },
  })
  const [writes, seed] = [Number(values.writes), Number(values.seed)]
  const live = Number(values.live ?? Math.min(10_000, writes / 10))
  const sqlite3 = await installOpfs()
  const life = await lead(sqlite3, writes, live, seed, false)
  for (const { written, heapBytes, wasmBytes, p95Ms } of life.windows)
    print(
      `${written} written: heap ${megabytes(heapBytes)}, wasm ${megabytes(wasmBytes)}, query p95 ${p95Ms.toFixed(1)} ms`,
    )
  const control = await lead(sqlite3, Math.min(4_000, writes), Math.min(500, live), seed, true)
  const growth = growthOf(life)
  const isFlat = isFlatLife(life)
  const isCaught = !isFlatLife(control)
  const slower = slowerBy(life)
  for (const problem of life.problems) print(`  ${problem}`)
  return {
    isGreen:
      isFlat && isCaught && life.fileShare <= largestFileShare && slower <= slowestShare && life.problems.length === 0,
    size: `${writes} writes, ${life.live} live`,
    seeds: String(seed),
    result: `heap and wasm ${growth >= 0 ? '+' : ''}${megabytes(growth)} in the last half, file ${life.fileShare.toFixed(2)} × its pages in use (${life.compactedShare.toFixed(2)} × compacted), least query p95 of the last half ${slower.toFixed(2)} × that of the first, ${life.problems.length} problems`,
    control: `a listener that keeps what it hears: +${megabytes(growthOf(control))}, ${isCaught ? 'found' : 'not found'}`,
    browsers: '',
  }
}

async function lead(
  sqlite3: Sqlite3Static,
  writes: number,
  most: number,
  seed: number,
  isLeaking: boolean,
): Promise<Life> {
  const random = createRandom(seed)
  const name = `t11 ${isLeaking}`
  useDisk(createFakeOpfs())
  const storage = await openStorage(sqlite3, { name, storage: 'opfs' })
  const engine = createEngineOver(storage, { ...options, name }, null)
  const kept: unknown[] = []
  const grown = watchGrowth()
  let now = Date.UTC(2026, 0, 1)
  let operation = 0
  const call: Engine['call'] = (method, request, context) =>
    engine.call(method, request, { ...context, now: (now += 60_000), operation: `o${(operation += 1)}` })
  const context = { now }
  const ids: string[] = []
  let made = 0
  const recordOf = (id: string) => ({
    id,
    title: `the jay ${id}`,
    body: Array.from({ length: 60 }, () => `word${random.below(3_000)}`).join(' '),
    tags: [`t${random.below(20)}`],
    vectors: random.vector(dimensions),
  })
  const grow = async (count: number) => {
    const batch = Array.from({ length: count }, () => recordOf(`r${(made += 1)}`))
    await call('put', { batch }, context)
    ids.push(...batch.map(({ id }) => id))
    if (isLeaking) kept.push(batch)
  }
  const windows: Window[] = []
  let times: number[] = []
  const ask = async () => {
    const query = {
      text: `word${random.below(3_000)} jay word${random.below(3_000)}`,
      vector: random.vector(dimensions),
    }
    const started = process.cpuUsage()
    await engine.call('recall', { query }, { now })
    const { user, system } = process.cpuUsage(started)
    times.push((user + system) / 1_000)
  }

  // Filled first: the test is whether a store of constant content keeps its size.
  while (ids.length < most) await grow(100)
  let written = 0
  for (let turn = 0; written < writes; turn++) {
    const kind = turn % 10
    if (kind < 8) {
      await grow(perPut)
      written += perPut
    } else if (kind === 8) {
      const again = Array.from({ length: perPut }, () => recordOf(random.pick(ids)))
      await call('put', { batch: [...new Map(again.map((record) => [record.id, record])).values()] }, context)
      written += perPut
    } else {
      // At random, so that holes are everywhere.
      const chosen = new Set<number>()
      while (chosen.size < ids.length - most) chosen.add(random.below(ids.length))
      const gone = ids.filter((_, i) => chosen.has(i))
      await call('forget', { ids: gone }, context)
      ids.splice(0, ids.length, ...ids.filter((_, i) => !chosen.has(i)))
      written += perPut
    }
    for (let i = 0; i < questionsPerTurn; i++) await ask()
    if (written >= ((windows.length + 1) * writes) / windowCount) {
      collect()
      const { heapUsed } = process.memoryUsage()
      windows.push({ written, heapBytes: heapUsed, wasmBytes: grown.bytes(), p95Ms: quantile(times, 0.95) })
      times = []
    }
  }
  const { problems } = await engine.call('integrityCheck', {}, { now })
  const count = await engine.call('count', { scope: {} }, { now })
  const pages = () => first(storage.database, 'PRAGMA page_count', [], (row) => row.number(0)) ?? 0
  const before = pages()
  const free = first(storage.database, 'PRAGMA freelist_count', [], (row) => row.number(0)) ?? 0
  await engine.call('compact', {}, { now })
  const fileShare = before / (before - free)
  const compactedShare = before / pages()
  await engine.call('destroy', {}, { now })
  grown.end()
  return {
    windows,
    live: count,
    fileShare,
    compactedShare,
    problems: count === ids.length ? problems : [...problems, `${count} records, ${ids.length} were promised`],
  }
}

function growthOf({ windows }: Life): number {
  const bytesOf = ({ heapBytes, wasmBytes }: Window) => heapBytes + wasmBytes
  const half = windows.slice(windows.length / 2).map(bytesOf)
  return (half.at(-1) ?? 0) - (half[0] ?? 0)
}

function isFlatLife(life: Life): boolean {
  const middle = life.windows[life.windows.length / 2]
  return growthOf(life) <= slackBytes + slackShare * (middle?.heapBytes ?? 0)
}

/** The least p95 of the last windows by that of the first: a moment in which the machine stood still is in one window. */
function slowerBy({ windows }: Life): number {
  const leastOf = (some: readonly Window[]) => Math.min(...some.map(({ p95Ms }) => p95Ms))
  const middle = windows.length / 2
  return leastOf(windows.slice(middle)) / leastOf(windows.slice(0, middle))
}

/** Bytes by which any WebAssembly memory grew: SQLite's, the kernel's. */
function watchGrowth(): { bytes(): number; end(): void } {
  const { grow } = WebAssembly.Memory.prototype
  let pages = 0
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, delta: number) {
    const before = grow.call(this, delta)
    pages += delta
    return before
  }
  return {
    bytes: () => pages * 65_536,
    end: () => {
      WebAssembly.Memory.prototype.grow = grow
    },
  }
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

const options: Parameters<typeof createEngineOver>[1] = {
  ...engineOptions,
  name: '',
  storage: 'opfs',
  runtime: 'worker',
  space: { name: 'torture', dimensions },
}
