/** Limits of a quick run: ratios within one run, with margins wide enough for a busy machine. Never ms. */
import { ours } from './measure-ours.ts'
import type { Mode } from './page/bench-api.ts'
import type { Row, SizeResult } from './results.ts'

export interface Guard {
  readonly what: string
  readonly ratio: number
  readonly most: number
}

/** Least medians of the warm passes inside the worker: Scrubjay's hybrid answer against a peer's. A missing figure makes its guard NaN. */
export function guardsOf({ rows }: SizeResult): readonly Guard[] {
  const hybrid = medianOf(rows, ours, 'hybrid')
  return [
    {
      what: 'hybrid ÷ MiniSearch, stop words out',
      ratio: hybrid / medianOf(rows, 'minisearch-content', 'lexical'),
      most: 30,
    },
    {
      what: 'hybrid ÷ Orama hybrid, best settings',
      ratio: hybrid / medianOf(rows, 'orama-content', 'hybrid'),
      most: 0.6,
    },
  ]
}

/** Both contenders are asked as often. One pass alone may meet a moment in which the machine does something else. */
export const guardedPasses = ['cold', 'warm', 'warm', 'warm'] as const

/** NaN fails. */
export function isKept({ ratio, most }: Guard): boolean {
  return ratio <= most
}

export function medianOf(rows: readonly Row[], contender: string, mode: Mode): number {
  const passes = rows.filter(
    (r) => r.contender === contender && r.mode === mode && r.scope === null && r.pass === 'warm',
  )
  return passes.length === 0 ? Number.NaN : Math.min(...passes.map(({ worker }) => worker.p50))
}
