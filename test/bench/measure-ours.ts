/** Scrubjay at one size: fills a store, opens it in fresh browsers, asks every mode in a first and a second pass. */
import { type Collection, scopeTags } from './collections.ts'
import type { Part } from './options.ts'
import { openBenchPage } from './open-bench-page.ts'
import { type Mode, ownModes } from './page/bench-api.ts'
import { type PutRow, percentilesOf, type Row, rowOf, type StoreFigures } from './results.ts'

export const ours = 'scrubjay'

export interface OurRun {
  readonly url: string
  readonly profileDir: string
  readonly collection: Collection
  readonly parts: ReadonlySet<Part>
  readonly questions: number
  readonly opens: number
  readonly budgetMs: number
  readonly say: (line: string) => void
}

export interface OurFigures {
  readonly version: string
  readonly put: readonly PutRow[]
  readonly store: StoreFigures
  readonly rows: readonly Row[]
}

export async function measureOurs(run: OurRun): Promise<OurFigures> {
  const { collection, parts } = run
  const { put, diskBytes, version } = await fillStore(run)
  const opens = parts.has('open') ? await openStores(run) : []
  const asked =
    parts.has('recall') || parts.has('policies') ? await askAll(run) : { rows: [], memoryBytes: null, heapBytes: null }
  const { rows, ...figures } = asked
  return {
    version,
    put: parts.has('put') ? put : [],
    store: { opens, ...figures, diskBytes, contentBytes: contentBytes(collection) },
    rows,
  }
}

/** Nine tenths in batches of 1,000, the last tenth in batches of 100: both into a store that fills up. */
async function fillStore({ url, profileDir, collection, say }: OurRun) {
  const { length } = collection.records
  const page = await openBenchPage(url, profileDir)
  try {
    await page.bench.use({ collection: collection.name })
    const timings = await page.bench.fill({
      batches: [
        { batchSize: 1000, upTo: Math.floor(length * 0.9) },
        { batchSize: 100, upTo: length },
      ],
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

/** Each in a browser of its own, so that nothing but the file cache is warm. */
async function openStores({ url, profileDir, collection, opens, say }: OurRun): Promise<StoreFigures['opens']> {
  const timings: { readonly openMs: number; readonly answerMs: number }[] = []
  for (let i = 0; i < opens; i++) {
    const page = await openBenchPage(url, profileDir)
    try {
      await page.bench.use({ collection: collection.name })
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
  const { url, profileDir, collection, questions, budgetMs, say } = run
  const page = await openBenchPage(url, profileDir)
  const { bench } = page
  const rows: Row[] = []
  try {
    await bench.use({ collection: collection.name })
    let status = null
    let heapBytes = null
    for (const { mode, tag, scope } of cases(collection.records.length, run.parts)) {
      await bench.open({})
      for (const pass of ['cold', 'warm'] as const) {
        const timings = await bench.time({ mode, tag, questions, budgetMs })
        const row = rowOf({ contender: ours, mode, scope, pass }, timings)
        rows.push(row)
        say(`${mode}${scope === null ? '' : ` in ${scope}`}, ${pass}: ${figures(row)}`)
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
    ...(parts.has('policies') ? ownModes.map(whole) : []),
  ]
}

export function figures({ worker, page, questions }: Row): string {
  const ms = (value: number) => value.toFixed(2)
  return `${ms(worker.p50)} / ${ms(worker.p95)} ms in the worker, ${ms(page.p50)} / ${ms(page.p95)} ms for the page (${questions})`
}

function contentBytes({ records, vectors }: Collection): number {
  return records.reduce((sum, { text }) => sum + Buffer.byteLength(text), vectors.byteLength)
}
