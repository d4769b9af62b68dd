/** Plots what grows with the store, from the results of one or more runs: answers, writes, memory, disk, opening. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { type Axis, type Panel, plotSvg, type Series } from '../support/data/plot.ts'
import { ours } from './measure-ours.ts'
import type { Mode } from './page/bench-api.ts'
import type { BenchResult, SizeResult } from './results.ts'
import { labelOf } from './table.ts'

const folder = new URL('../../docs/plots/', import.meta.url)

/** Draws `docs/plots/growth-*.svg`; returns the written files. */
export async function plotGrowth(paths: readonly string[]): Promise<readonly string[]> {
  const results = await Promise.all(paths.map(async (path) => JSON.parse(await readFile(path, 'utf8')) as BenchResult))
  const drawings = drawGrowth(results)
  await mkdir(folder, { recursive: true })
  for (const [name, svg] of drawings) await writeFile(new URL(name, folder), svg)
  return [...drawings.keys()].map((name) => `docs/plots/${name}`)
}

/** File name → SVG. Of two runs of one size, the later one counts. */
export function drawGrowth(results: readonly BenchResult[]): ReadonlyMap<string, string> {
  const sizes = results.flatMap((result) => result.sizes).filter(({ generated }) => !generated)
  if (sizes.length === 0) throw new Error('--plot found no size with measured text in these results')
  return new Map([
    ['growth-answers.svg', plotSvg('Time of an answer by records', answerPanels(sizes))],
    ['growth-store.svg', plotSvg('Opening, memory and disk by records', storePanels(sizes))],
    ['growth-writes.svg', plotSvg('Writes by records', writePanels(sizes))],
  ])
}

function answerPanels(sizes: readonly SizeResult[]): readonly Panel[] {
  return (['lexical', 'vector', 'hybrid'] as const).map((mode) =>
    panel(`${mode}, warm, median in the worker`, 'ms', answers(sizes, mode)),
  )
}

function answers(sizes: readonly SizeResult[], mode: Mode): readonly Series[] {
  return series(sizes, ({ rows }) =>
    rows
      .filter((row) => row.mode === mode && row.scope === null && row.pass === 'warm')
      .map((row) => [labelOf(row.contender), row.worker.p50]),
  )
}

function storePanels(sizes: readonly SizeResult[]): readonly Panel[] {
  const built = series(sizes, ({ store, peers }) => [
    ...(store === null ? [] : [[labelOf(ours), least(store.opens.map(({ answerMs }) => answerMs))] as const]),
    ...peers.map(({ peer, buildMs }) => [labelOf(peer), buildMs] as const),
  ])
  const memory = series(sizes, ({ store, peers }) => [
    [labelOf(ours), ourMegabytes(store)],
    ...peers.map(({ peer, heapBytes, wasmBytes }) => [labelOf(peer), megabytes(sumOf(heapBytes, wasmBytes))] as const),
  ])
  const disk = series(sizes, ({ store }) =>
    store === null
      ? []
      : [
          [labelOf(ours), megabytes(store.diskBytes)],
          ['texts and float32 vectors', megabytes(store.contentBytes)],
        ],
  )
  return [
    panel('Until the first answer: open, or build again', 'ms', built),
    panel('Memory: heaps and WebAssembly', 'MB', memory),
    panel('Disk', 'MB', disk),
  ]
}

function writePanels(sizes: readonly SizeResult[]): readonly Panel[] {
  const changed = (verb: string) =>
    series(sizes, ({ changes }) =>
      changes.filter((row) => row.verb === verb).map((row) => [labelOf(row.contender), row.recordsPerSecond]),
    )
  const put = series(sizes, (size) =>
    size.put.map(({ batchSize, recordsPerSecond }) => [`${labelOf(ours)}, batches of ${batchSize}`, recordsPerSecond]),
  )
  return [
    panel('Put', 'records a second', put),
    panel('Update', 'records a second', changed('update')),
    panel('Delete', 'records a second', changed('remove')),
  ]
}

type Values = (size: SizeResult) => readonly (readonly [name: string, value: number | null])[]

/** Series without a figure at any size are left out. */
function series(sizes: readonly SizeResult[], values: Values): readonly Series[] {
  const pointsByName = new Map<string, Map<number, number>>()
  for (const size of sizes) {
    for (const [name, value] of values(size)) {
      if (value === null || !(value > 0)) continue
      const points = pointsByName.get(name) ?? new Map<number, number>()
      pointsByName.set(name, points.set(size.records, value))
    }
  }
  return [...pointsByName].map(([name, points]) => ({ name, points: [...points].sort(([a], [b]) => a - b) }))
}

function panel(title: string, unit: string, drawn: readonly Series[]): Panel {
  const points = drawn.flatMap((one) => one.points)
  return {
    title,
    x: { label: 'records', ...decades(points.map(([x]) => x)) },
    y: { label: unit, ...decades(points.map(([, y]) => y!)) },
    series: drawn,
  }
}

/** A logarithmic axis of whole powers of ten around the values. */
function decades(values: readonly number[]): Pick<Axis, 'ticks' | 'scale'> {
  const low = values.length === 0 ? 0 : Math.floor(Math.log10(Math.min(...values)))
  const high = values.length === 0 ? 1 : Math.ceil(Math.log10(Math.max(...values)))
  const count = Math.max(1, high - low) + 1
  return { ticks: Array.from({ length: count }, (_, i) => Number(`1e${low + i}`)), scale: 'log' }
}

function ourMegabytes(store: SizeResult['store']): number | null {
  if (store?.memoryBytes == null) return null
  const { vectors, postings, sqlite } = store.memoryBytes
  return megabytes(vectors + postings + sqlite + (store.heapBytes ?? 0))
}

function least(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.min(...values)
}

function sumOf(...values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

function megabytes(bytes: number | null): number | null {
  return bytes === null ? null : bytes / 1_000_000
}
