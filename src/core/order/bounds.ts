/**
 * Computes bounds on scores: exact at a known cosine, else the scores at the bounds of the cosine. So scoring must be
 * monotone in the cosine ([V1] and [G3] depend on it).
 */
import type { CandidateTable } from '../model/facts.ts'

/** By row; −Infinity for rows that must not be selected. */
export interface ScoreBounds {
  readonly low: Float64Array
  readonly high: Float64Array
  /** Recomputes the scores of these rows, and of rows that depend on them, after their cosines were read. */
  refresh(rows: readonly number[]): void
  /** Other rows whose exact cosines the score of this row depends on. */
  dependsOn(row: number): readonly number[]
}

export function scoreBounds(
  { cosineLow, cosineHigh, length }: CandidateTable,
  eligible: Int32Array,
  scoreAt: (row: number, cosine: number) => number,
): ScoreBounds {
  const low = new Float64Array(length).fill(Number.NEGATIVE_INFINITY)
  const high = new Float64Array(length).fill(Number.NEGATIVE_INFINITY)
  const score = (row: number) => {
    const from = cosineLow[row]!
    const to = cosineHigh[row]!
    const least = scoreAt(row, from)
    low[row] = least
    // Equal, or both NaN: the score is exact.
    high[row] = from < to ? scoreAt(row, to) : least
  }
  for (let i = 0; i < eligible.length; i++) score(eligible[i]!)
  return {
    low,
    high,
    refresh(rows) {
      for (const row of rows) if (low[row] !== Number.NEGATIVE_INFINITY) score(row)
    },
    dependsOn: () => [],
  }
}

/** Bounds of rows with exact scores. No other row may be selected. */
export function exactBounds(length: number, scores: ReadonlyMap<number, number>): ScoreBounds {
  const low = new Float64Array(length).fill(Number.NEGATIVE_INFINITY)
  for (const [row, score] of scores) low[row] = score
  return { low, high: low, refresh: () => undefined, dependsOn: () => [] }
}
