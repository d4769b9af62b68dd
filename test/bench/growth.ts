/** Plots what grows with the store, from the tables of `docs/benchmarks.md`, so that plots and tables have the same figures. */
import { readFile, writeFile } from 'node:fs/promises'
import { parseMarkdown, type Tokens } from '../../site/content/markdown.ts'
import { column, numbersOf, type Table, tableAt, tablesBelow } from '../../site/plots/table.ts'
import { type Axis, type Panel, plotSvg, type Series } from '../support/data/plot.ts'

const folder = new URL('../../docs/plots/', import.meta.url)
const page = new URL('../../docs/benchmarks.md', import.meta.url)

/** Draws `docs/plots/growth-*.svg`; returns the written files. */
export async function plotGrowth(): Promise<readonly string[]> {
  const drawings = drawGrowth(await readFile(page, 'utf8'))
  for (const [name, svg] of drawings) await writeFile(new URL(name, folder), svg)
  return [...drawings.keys()].map((name) => `docs/plots/${name}`)
}

/** File name → SVG. `text` is the page with the tables; a table that is gone, or a renamed row or column, throws. */
export function drawGrowth(text: string): ReadonlyMap<string, string> {
  const tokens = parseMarkdown(text)
  const compared = tablesBelow(tokens, 'Compared with other libraries').map((at) => sizedTable(tokens, at))
  const [own] = tablesBelow(tokens, 'Speed').map((at) => tableAt(tokens, at))
  if (compared.length < 2 || own === undefined) throw new Error('docs/benchmarks.md has no tables to plot.')
  return new Map([
    ['growth-answers.svg', plotSvg('Time of an answer by records', answerPanels(compared))],
    ['growth-store.svg', plotSvg('Writes, memory and disk of Scrubjay by records', ownPanels(own))],
  ])
}

interface SizedTable {
  readonly records: number
  readonly table: Table
}

/** A table whose number of records begins the paragraph above it: `10,000 records, in one run: …`. */
function sizedTable(tokens: Tokens, at: number): SizedTable {
  const above = tokens.slice(0, at).findLast(({ type }) => type === 'inline')?.content ?? ''
  const size = /^([\d,]+) records, in one run/.exec(above)?.[1]
  if (size === undefined)
    throw new Error(`A paragraph “… records, in one run” must be above the table, got “${above}”.`)
  return { records: numbersOf(size)[0]!, table: tableAt(tokens, at) }
}

function answerPanels(tables: readonly SizedTable[]): readonly Panel[] {
  const answers = ['words', 'vectors', 'hybrid'].map((name) =>
    panel(
      `${name}, warm, median in the worker`,
      'ms',
      compare(tables, () => name),
    ),
  )
  const opened = compare(tables, ({ head }) => head.find((name) => name.startsWith('built'))!)
  return [...answers, panel('Until the first answer: opened or built', 's', opened)]
}

/** One line for each system; a system without a figure in the column has none. */
function compare(tables: readonly SizedTable[], columnOf: (table: Table) => string): readonly Series[] {
  const pointsByName = new Map<string, [number, number][]>()
  for (const { records, table } of tables) {
    const at = column(table, columnOf(table))
    for (const cells of table.rows) {
      const [value] = numbersOf(cells[at])
      if (value === undefined) continue
      const name = cells[0]!.replace(/ \d+\.\d+\.\d+/, '')
      pointsByName.set(name, [...(pointsByName.get(name) ?? []), [records, value]])
    }
  }
  return [...pointsByName].map(([name, points]) => ({ name, points }))
}

function ownPanels(table: Table): readonly Panel[] {
  const sizes = table.head.slice(1).map((name) => numbersOf(name)[0]!)
  /** The series of the numbers in a row, in the order of `names`. */
  const row = (start: string, names: readonly string[]): readonly Series[] => {
    const cells = table.rows.find(([name]) => name!.startsWith(start))
    if (cells === undefined) throw new Error(`The table has no row that begins with “${start}”.`)
    return names.map((name, i) => ({
      name,
      points: sizes.map((size, place) => [size, numbersOf(cells[place + 1])[i] ?? null] as const),
    }))
  }
  return [
    panel('Writes', 'records a second', [
      ...row('put, batches of 1,000 · 100, per s', ['put, batches of 1,000', 'put, batches of 100']),
      ...row('replace · forget by 100, per s', ['replace', 'forget by 100']),
    ]),
    panel('Memory', 'MB', row('memory: vectors, words, SQLite', ['vectors, words, SQLite'])),
    panel('Disk ÷ (text + float32 vectors)', 'times', row('disk ÷ (text + float32 vectors)', ['disk']), 'linear'),
  ]
}

function panel(title: string, unit: string, series: readonly Series[], scale: 'log' | 'linear' = 'log'): Panel {
  const points = series.flatMap((one) => one.points)
  const values = points.flatMap(([, y]) => y ?? [])
  const most = Math.ceil(Math.max(...values))
  return {
    title,
    x: { label: 'records', ...decades(points.map(([x]) => x)) },
    y: {
      label: unit,
      ...(scale === 'log' ? decades(values) : { ticks: Array.from({ length: most + 1 }, (_, i) => i) }),
    },
    series,
  }
}

/** A logarithmic axis of whole powers of ten around the values. */
function decades(values: readonly number[]): Pick<Axis, 'ticks' | 'scale'> {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.ceil(Math.log10(Math.max(...values)))
  const count = Math.max(1, high - low) + 1
  return { ticks: Array.from({ length: count }, (_, i) => Number(`1e${low + i}`)), scale: 'log' }
}
