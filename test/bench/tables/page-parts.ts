/** The tables of `docs/benchmarks.md` that the bench writes: what each measures, and how it becomes a table. */
import { ours } from '../measure-ours.ts'
import type { Part } from '../options.ts'
import type { Mode } from '../page/bench-api.ts'
import { efs, type PeerName, peerNames, traitsOf } from '../page/peer-table.ts'
import type { BenchResult, Row, SizeResult } from '../results.ts'
import { labelOf } from './table.ts'

export interface PagePart {
  readonly parts: readonly Part[]
  readonly sizes: readonly number[]
  readonly peers: readonly PeerName[]
  tableOf(result: BenchResult): string
}

const graphs = peerNames.filter((peer) => traitsOf(peer).isGraph === true)
const others = peerNames.filter((peer) => traitsOf(peer).isGraph !== true)

/** Each is a run of its own, so an interrupted run loses one of them. */
export const pageParts: Readonly<Record<string, PagePart>> = {
  answers: { parts: ['quality'], sizes: [], peers: others, tableOf: answersTable },
  speed: {
    parts: ['put', 'open', 'recall', 'policies', 'in-use', 'change'],
    sizes: [10_000, 100_000],
    peers: [],
    tableOf: speedTable,
  },
  ...Object.fromEntries(
    [10_000, 100_000].flatMap((size) => [
      [`peers-${size}`, { parts: ['open', 'recall', 'peers'], sizes: [size], peers: others, tableOf: peersTable }],
      [
        `graphs-${size}`,
        {
          parts: ['recall', 'peers'],
          sizes: [size],
          peers: graphs.filter((peer) => size <= traitsOf(peer).most),
          tableOf: graphsTable,
        },
      ],
    ]),
  ),
}

function answersTable({ quality }: BenchResult): string {
  const names = [...new Set(quality.flatMap(({ rows }) => rows.map(({ contender }) => contender)))]
  const columns = quality.flatMap(({ set, questions, rows }) =>
    (['lexical', 'vector', 'hybrid'] as const).map((mode) => ({
      head: `${set.replace('judged-', '')}, ${count(questions)}: ${modeNames[mode]}`,
      cellOf: (name: string) => rows.find((row) => row.contender === name && row.mode === mode)?.ndcg,
    })),
  )
  return toTable(
    ['', ...columns.map(({ head }) => head)],
    names.map((name) => [labelOf(name), ...columns.map(({ cellOf }) => share(cellOf(name)))]),
  )
}

const modeNames = { lexical: 'words', vector: 'vectors', hybrid: 'hybrid' } as const

function speedTable({ sizes }: BenchResult): string {
  const line = (name: string, cellOf: (size: SizeResult) => string) => [name, ...sizes.map(cellOf)]
  const asked = (name: string, mode: Mode, pass: Row['pass'] = 'warm', scope: number | null = null) =>
    line(name, ({ rows }) => pair(rowIn(rows, ours, mode, scope, pass)?.worker))
  return toTable(
    ['', ...sizes.map(({ records }) => `${count(records)} records`)],
    [
      asked('hybrid, exact, cold', 'hybrid', 'cold'),
      asked('hybrid, exact, warm', 'hybrid'),
      asked('words alone, cold', 'lexical', 'cold'),
      asked('words alone', 'lexical'),
      asked('vectors alone, exact', 'vector'),
      asked('hybrid in a tag of 1,000, exact', 'hybrid', 'warm', 1000),
      asked('hybrid in a tag of 10,000, exact', 'hybrid', 'warm', 10_000),
      asked('hybrid, one in 400 superseded', 'hybrid, some superseded'),
      asked('hybrid, with "last week"', 'hybrid, of last week'),
      asked('with every reason in words', 'hybrid, balanced, explain'),
      asked('`tokenpak`', 'hybrid, tokenpak'),
      asked('`ctxsift` (ranks every substring)', 'hybrid, ctxsift'),
      asked('`secondBrain`', 'hybrid, secondBrain'),
      asked('`assemble` within 2,000 tokens', 'assemble'),
      line('from page to page, added to hybrid', ({ rows }) => pair(rowIn(rows, ours, 'hybrid')?.transport)),
      line('put, batches of 1,000 · 100, per s', ({ put }) =>
        [1000, 100].map((size) => rate(put.find(({ batchSize }) => batchSize === size))).join(' · '),
      ),
      line('replace · forget by 100, per s', ({ changes }) =>
        (['update', 'remove'] as const).map((verb) => rate(changes.find((change) => change.verb === verb))).join(' · '),
      ),
      line('open to first hybrid answer', ({ store }) => {
        const ms = (store?.opens ?? []).map(({ answerMs }) => Math.round(answerMs))
        return `${Math.min(...ms)}–${Math.max(...ms)} ms`
      }),
      line('memory: vectors, words, SQLite', ({ store }) => {
        const bytes = store?.memoryBytes
        return bytes ? `${((bytes.vectors + bytes.postings + bytes.sqlite) / 1e6).toFixed(0)} MB` : '–'
      }),
      line('disk ÷ (text + float32 vectors)', ({ store }) =>
        store === null ? '–' : (store.diskBytes / store.contentBytes).toFixed(2),
      ),
    ],
  )
}

function peersTable({ sizes: [size] }: BenchResult): string {
  const { records, rows, store, peers } = size!
  const scope = records / 10
  const lineOf = (contender: string, built: string) => [
    labelOf(contender),
    pair(rowIn(rows, contender, 'lexical')?.worker),
    pair(rowIn(rows, contender, 'vector')?.worker),
    recall(rowIn(rows, contender, 'vector')),
    pair(rowIn(rows, contender, 'hybrid')?.worker),
    pair(rowIn(rows, contender, 'hybrid', scope)?.worker),
    built,
  ]
  const opens = (store?.opens ?? []).map(({ answerMs }) => answerMs).sort((a, b) => a - b)
  return toTable(
    ['', 'words', 'vectors', 'recall', 'hybrid', `hybrid, tag of ${count(scope)}`, 'built or opened'],
    [
      lineOf(ours, `${seconds(opens[Math.floor(opens.length / 2)] ?? Number.NaN)} s, opened`),
      ...peers.map(({ peer, buildMs }) => lineOf(peer, buildMs === null ? 'failed' : `${seconds(buildMs)} s`)),
    ],
  )
}

function graphsTable({ sizes: [size] }: BenchResult): string {
  const { rows, peers } = size!
  const own = rowIn(rows, ours, 'vector')!
  const at = (row: Row | undefined) => (row === undefined ? '–' : `${figure(row.worker.p50)} · ${recall(row)}`)
  return toTable(
    ['', ...efs.map((ef) => `ef ${ef}: ms · recall`), 'recall in Scrubjay’s time', 'built'],
    [
      ['Scrubjay, exact', ...efs.map(() => at(own)), recall(own), '–'],
      ...peers.map(({ peer, buildMs }) => {
        const found = efs.map((ef) => rows.find((row) => row.contender === peer && row.ef === ef))
        const built = buildMs === null ? 'failed' : `${seconds(buildMs)} s`
        return [
          labelOf(peer),
          ...found.map(at),
          recallAt(
            own.worker.p50,
            found.flatMap((row) => row ?? []),
          ),
          built,
        ]
      }),
    ],
  )
}

/** Recall of a graph that takes so many ms: on the line through the nearest two values of `ef`. */
export function recallAt(ms: number, rows: readonly Row[]): string {
  const points = rows.map(({ worker, recall10 }) => ({ ms: worker.p50, recall: recall10 ?? Number.NaN }))
  const next = points.findIndex((point) => point.ms >= ms)
  if (points.length === 0) return '–'
  if (next === -1) return `at least ${share(points.at(-1)!.recall)}`
  if (next === 0 && ms < points[0]!.ms) return `less than ${share(points[0]!.recall)}`
  const [low, high] = [points[Math.max(0, next - 1)]!, points[Math.max(1, next)]!]
  return share(low.recall + ((high.recall - low.recall) * (ms - low.ms)) / (high.ms - low.ms))
}

function rowIn(
  rows: readonly Row[],
  contender: string,
  mode: Mode,
  scope: number | null = null,
  pass: Row['pass'] = 'warm',
): Row | undefined {
  return rows.find(
    (row) => row.contender === contender && row.mode === mode && row.scope === scope && row.pass === pass,
  )
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|---|${'---:|'.repeat(head.length - 1)}`, ...rows.map(line)].join('\n')
}

function pair(times: Row['worker'] | undefined): string {
  return times === undefined ? '–' : `${figure(times.p50)} / ${figure(times.p95)}`
}

function recall(row: Row | undefined): string {
  return share(row?.recall10 ?? undefined)
}

function rate(row: { readonly recordsPerSecond: number } | undefined): string {
  return row === undefined ? '–' : count(row.recordsPerSecond)
}

/** Three digits: `.68`, `7.60`, `18.4`, `496`. */
function figure(value: number): string {
  return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0).replace(/^0/, '')
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(ms < 950 ? 2 : ms < 9950 ? 1 : 0).replace(/^0/, '')
}

function share(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(3).replace(/^0/, '')
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-GB')
}
