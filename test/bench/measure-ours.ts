/**
 * Measures Scrubjay at one size: fills a store, opens it in new browsers, asks every mode in a first and a second
 * pass.
 */
import { setTimeout } from 'node:timers/promises'
import { type Collection, scopeTags } from './collections.ts'
import type { ExactNeighbours } from './exact-neighbours.ts'
import { recallQuestions } from './exact-neighbours.ts'
import { askInUse } from './measure-in-use.ts'
import { type BenchSite, openBenchPage } from './open-bench-page.ts'
import type { Part } from './options.ts'
import { type Mode, ownModes } from './page/bench-api.ts'
import {
  type ChangeRow,
  changeRowOf,
  type PutRow,
  percentilesOf,
  type Row,
  rowOf,
  type StoreFigures,
} from './results.ts'

export const ours = 'scrubjay'

/** How many of so many records are changed, and how many at a time: enough batches for a percentile. */
export function changesOf(records: number) {
  return { of: records, records: Math.min(2000, Math.floor(records / 5)), batchSize: 100 }
}

export interface OurRun {
  readonly site: BenchSite
  readonly profileDir: string
  readonly collection: Collection
  readonly exact: ExactNeighbours
  readonly parts: ReadonlySet<Part>
  readonly questions: number
  readonly opens: number
  readonly passes: readonly Row['pass'][]
  readonly budgetMs: number
  readonly say: (line: string) => void
}

export interface OurFigures {
  readonly version: string
  readonly put: readonly PutRow[]
  readonly store: StoreFigures
  readonly rows: readonly Row[]
  readonly changes: readonly ChangeRow[]
}

export async function measureOurs(run: OurRun): Promise<OurFigures> {
  const { collection, parts } = run
  const { put, diskBytes, version } = await fillStore(run)
  const opens = parts.has('open') ? await openStores(run) : []
  const asked =
    parts.has('recall') || parts.has('policies') ? await askAll(run) : { rows: [], memoryBytes: null, heapBytes: null }
  const { rows, ...figures } = asked
  const inUse = parts.has('in-use') ? await askInUse(run) : []
  const changes = parts.has('change') ? await changeRecords(run) : []
  return {
    version,
    put: parts.has('put') ? put : [],
    store: { opens, ...figures, diskBytes, contentBytes: contentBytes(collection) },
    rows: [...rows, ...inUse],
    changes,
  }
}

/** Nine tenths in batches of 1,000, the last tenth in batches of 100: both into a store that fills up. */
async function fillStore({ site, profileDir, collection, say }: OurRun) {
  const { length } = collection.records
  const page = await openBenchPage(site, profileDir)
  try {
    await page.bench.use({ collection: collection.name })
    const timings = await page.bench.fill({
      batches: [
        { batchSize: 1000, upTo: Math.floor(length * 0.9) },
        { batchSize: 100, upTo: length },
      ],
      isSpread: true,
    })
    const put = timings.map(({ batchSize, records, batchMs }): PutRow => {
      const totalMs = batchMs.reduce((sum, ms) => sum + ms, 0)
      return { batchSize, records, recordsPerSecond: (records / totalMs) * 1000, batch: percentilesOf(batchMs) }
    })
    for (const row of put) say(`put in batches of ${row.batchSize}: ${Math.round(row.recordsPerSecond)} records/s`)
    return { put, diskBytes: await page.bench.disk({}), version: page.version }
  } finally {
    await page.close()
  }
}

/** A new browser loads its own interface meanwhile, which takes up to 300 ms of processor time in other processes than the page's. */
const settleMs = 3_000

/** Each in a browser of its own, so that only the file cache is warm. */
async function openStores({ site, profileDir, collection, opens, say }: OurRun): Promise<StoreFigures['opens']> {
  const timings: { readonly openMs: number; readonly answerMs: number }[] = []
  for (let i = 0; i < opens; i++) {
    const page = await openBenchPage(site, profileDir)
    try {
      await page.bench.use({ collection: collection.name })
      await setTimeout(settleMs)
      const timing = await page.bench.open({})
      timings.push(timing)
      say(`opened in ${timing.openMs.toFixed(0)} ms, first hybrid answer after ${timing.answerMs.toFixed(0)} ms`)
    } finally {
      await page.close()
    }
  }
  return timings
}

async function askAll(run: OurRun) {
  const { site, profileDir, collection, exact, passes, questions, budgetMs, say } = run
  const page = await openBenchPage(site, profileDir)
  const { bench } = page
  const rows: Row[] = []
  try {
    await bench.use({ collection: collection.name })
    let status = null
    let heapBytes = null
    for (const { mode, tag, scope } of cases(collection.records.length, run.parts)) {
      await bench.open({})
      for (const pass of passes) {
        const timings = await bench.time({ mode, tag, questions, budgetMs })
        const row = rowOf({ contender: ours, mode, scope, pass }, timings)
        rows.push(row)
        say(`${mode}${scope === null ? '' : ` in ${scope}`}, ${pass}: ${figures(row)}`)
      }
      if (mode === 'vector') {
        const recall10 = exact.recallOf(await bench.rank({ mode, questions: recallQuestions }))
        rows.splice(-passes.length, passes.length, ...rows.slice(-passes.length).map((row) => ({ ...row, recall10 })))
      }
      if (mode === 'hybrid' && scope === null) {
        status = await bench.status({})
        heapBytes = await bench.memory({})
      }
      await bench.leave({})
    }
    return { rows, memoryBytes: status?.memoryBytes ?? null, heapBytes }
  } finally {
    await page.close()
  }
}

/** Puts changed records under known ids, then forgets them; last, because it changes the store. */
async function changeRecords({ site, profileDir, collection, say }: OurRun): Promise<readonly ChangeRow[]> {
  const page = await openBenchPage(site, profileDir)
  try {
    await page.bench.use({ collection: collection.name })
    await page.bench.open({})
    const rows: ChangeRow[] = []
    for (const verb of ['update', 'remove'] as const) {
      const timings = await page.bench.change({ verb, ...changesOf(collection.records.length) })
      rows.push(changeRowOf(ours, verb, timings))
      say(`${verb}: ${Math.round(rows.at(-1)?.recordsPerSecond ?? 0)} records/s`)
    }
    await page.bench.leave({})
    return rows
  } finally {
    await page.close()
  }
}

interface Case {
  readonly mode: Mode
  readonly tag: string | null
  readonly scope: number | null
}

function cases(records: number, parts: ReadonlySet<Part>): readonly Case[] {
  const whole = (mode: Mode): Case => ({ mode, tag: null, scope: null })
  const scoped = scopeTags.map(({ tag, share }): Case => ({ mode: 'hybrid', tag, scope: Math.ceil(records / share) }))
  return [
    ...(parts.has('recall') ? [whole('lexical'), whole('vector'), whole('hybrid'), ...scoped] : []),
    ...(parts.has('policies') ? ownModes.filter((mode) => records <= 100_000 || !rankAll.has(mode)).map(whole) : []),
  ]
}

/** They rank every match of the scope: a question to a million records takes them longer than its deadline. */
const rankAll: ReadonlySet<Mode> = new Set(['hybrid, ctxsift', 'hybrid, secondBrain'])

export function figures({ worker, page, questions }: Row): string {
  const ms = (value: number) => value.toFixed(2)
  return `${ms(worker.p50)} / ${ms(worker.p95)} ms in the worker, ${ms(page.p50)} / ${ms(page.p95)} ms for the page (${questions})`
}

function contentBytes({ records, vectors }: Collection): number {
  return records.reduce((sum, { text }) => sum + Buffer.byteLength(text), vectors.byteLength)
}
