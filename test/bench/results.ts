/** The results of a run as written to disk, and percentiles of raw timings. */
import type { BatchTimings, ChangeVerb, Mode, Timings } from './page/bench-api.ts'

export interface Percentiles {
  readonly p50: number
  readonly p95: number
}

/** One pass of one contender over the questions. */
export interface Row {
  readonly contender: string
  readonly mode: Mode
  /** Records in the scope; null: the whole store. */
  readonly scope: number | null
  /** Candidates of a graph's search; absent: not a graph. */
  readonly ef?: number
  /** `cold`: the first pass after opening or building; `warm`: the second. */
  readonly pass: 'cold' | 'warm'
  readonly questions: number
  /** ms. */
  readonly worker: Percentiles
  readonly page: Percentiles
  /** What the messages add, ms. */
  readonly transport: Percentiles
  /** Of vector answers, against the exact order; null: not measured. */
  readonly recall10: number | null
}

/** Records changed in a full store. */
export interface ChangeRow {
  readonly contender: string
  readonly verb: ChangeVerb
  readonly batchSize: number
  readonly records: number
  readonly recordsPerSecond: number
  /** ms per batch. */
  readonly batch: Percentiles
}

export interface PutRow {
  readonly batchSize: number
  readonly records: number
  readonly recordsPerSecond: number
  /** ms per batch. */
  readonly batch: Percentiles
}

export interface StoreFigures {
  readonly opens: readonly { readonly openMs: number; readonly answerMs: number }[]
  readonly memoryBytes: { readonly vectors: number; readonly postings: number; readonly sqlite: number } | null
  /** JavaScript heaps of page and workers, as the browser counts: WebAssembly is extra. */
  readonly heapBytes: number | null
  readonly diskBytes: number
  /** Texts and float32 vectors alone. */
  readonly contentBytes: number
}

export interface PeerFigures {
  readonly peer: string
  /** Null: it failed. */
  readonly buildMs: number | null
  readonly heapBytes: number | null
  /** WebAssembly memory; null: it has none, or does not report it. */
  readonly wasmBytes: number | null
  /** Why a mode gave no timings. */
  readonly failures: readonly string[]
}

export interface SizeResult {
  readonly records: number
  readonly generated: boolean
  readonly put: readonly PutRow[]
  readonly store: StoreFigures | null
  readonly peers: readonly PeerFigures[]
  readonly rows: readonly Row[]
  readonly changes: readonly ChangeRow[]
}

export interface QualityResult {
  readonly set: string
  readonly records: number
  readonly questions: number
  readonly rows: readonly { readonly contender: string; readonly mode: Mode; readonly ndcg: number }[]
}

export interface BenchResult {
  readonly date: string
  readonly browser: 'chromium' | 'firefox'
  readonly machine: {
    readonly cpu: string
    readonly cores: number
    readonly memoryGb: number
    /** Load average of the last minute. */
    readonly loadBefore: number
    readonly loadAfter: number
  }
  readonly versions: Readonly<Record<string, string>>
  readonly sizes: readonly SizeResult[]
  readonly quality: readonly QualityResult[]
}

export function rowOf(labels: Pick<Row, 'contender' | 'mode' | 'scope' | 'pass' | 'ef'>, timings: Timings): Row {
  const { workerMs, pageMs } = timings
  return {
    ...labels,
    questions: pageMs.length,
    worker: percentilesOf(workerMs),
    page: percentilesOf(pageMs),
    transport: percentilesOf(pageMs.map((ms, i) => ms - (workerMs[i] ?? 0))),
    recall10: null,
  }
}

export function changeRowOf(contender: string, verb: ChangeVerb, timings: BatchTimings): ChangeRow {
  const { batchSize, records, batchMs } = timings
  const totalMs = batchMs.reduce((sum, ms) => sum + ms, 0)
  return {
    contender,
    verb,
    batchSize,
    records,
    recordsPerSecond: (records / totalMs) * 1000,
    batch: percentilesOf(batchMs),
  }
}

/** Nearest rank, of raw timings: no timing is dropped. */
export function percentilesOf(timingsMs: readonly number[]): Percentiles {
  const sorted = [...timingsMs].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95) }
}
