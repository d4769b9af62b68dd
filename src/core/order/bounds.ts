/**
 * Scores of candidates as bounds: at a known cosine a score is exact, else it lies between the scores at the bounds of
 * the cosine. Scoring must be monotone in the cosine ([V1] and [G3] rest on that).
 */
import type { CandidateTable } from '../model/facts.ts'

/** By row; −Infinity for rows that may not be selected. */
export interface ScoreBounds {
  readonly low: Float64Array
  readonly high: Float64Array
  /** Scores these rows again, and those that depend on them, after their cosines have been read. */
  refresh(rows: readonly number[]): void
  /** Other rows whose exact cosines the score of this one waits for. */
  waitsFor(row: number): readonly number[]
}

export function scoreBounds(
  { cosineLow, cosineHigh, length }: CandidateTable,
  open: Int32Array,
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
  for (let i = 0; i < open.length; i++) score(open[i]!)
  return {
    low,
    high,
    refresh(rows) {
      for (const row of rows) if (low[row] !== Number.NEGATIVE_INFINITY) score(row)
    },
    waitsFor: () => [],
  }
}

/** Bounds of rows whose scores are certain; every other row may not be selected. */
export function exactBounds(length: number, scores: ReadonlyMap<number, number>): ScoreBounds {
  const low = new Float64Array(length).fill(Number.NEGATIVE_INFINITY)
  for (const [row, score] of scores) low[row] = score
  return { low, high: low, refresh: () => undefined, waitsFor: () => [] }
}
