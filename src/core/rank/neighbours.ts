/**
 * Neighbours in a session: what the question finds at one record speaks for the records just before and after it, by a
 * weight for each distance. Only candidates that may be selected give and take, and they give only what the question says
 * of them: never what they were given, nor what is known of them beside it (freshness, reasons, what was learned).
 */
import type { CandidateTable } from '../fusion/facts.ts'
import { recallError } from '../model/errors.ts'
import type { ScoreBounds } from './bounds.ts'
import { sortRows } from './row-order.ts'

export interface Neighbour {
  readonly row: number
  /** Places after the record (negative: before it). */
  readonly distance: number
  readonly weight: number
}

export interface Neighbourhood {
  /** Rows in a session, session by session, in its order. */
  readonly rows: Int32Array
  /** Before the row from the nearest on, then after it: the order they are added in. */
  of(row: number): readonly Neighbour[]
  /** Σ weight × amount over them. */
  sum(row: number, amounts: Float64Array): number
}

/** `weights`: of the neighbours at distance 1, 2, … on either side. Null where no two rows could be neighbours. */
export function neighbourhoodOf(
  weights: readonly number[],
  { sessions, length }: CandidateTable,
  open: Int32Array,
): Neighbourhood | null {
  if (!weights.some((weight) => weight !== 0)) return null
  // Facts of an older version may lack it.
  if (sessions === undefined) {
    throw recallError('INVALID_ARGUMENT', 'do not hold the sessions of their candidates', {
      field: 'facts',
      cure: 'Pass the facts captured with this receipt, and replay with the version that made it.',
    })
  }
  if (sessions === null) return null
  const reach = weights.length
  const rows = open.filter((row) => (sessions.group[row] as number) > 0)
  if (rows.length < 2) return null
  // One number a row: sessions follow each other too far apart to touch.
  const apart = rows.reduce((most, row) => Math.max(most, sessions.place[row] as number), 0) + reach + 1
  const places = new Float64Array(length)
  for (const row of rows) places[row] = (sessions.group[row] as number) * apart + (sessions.place[row] as number)
  sortRows(rows, places, () => 0)
  // Ascending.
  rows.reverse()
  const at = new Int32Array(length).fill(-1)
  for (let i = 0; i < rows.length; i++) at[rows[i] as number] = i
  const distance = (i: number, other: number) =>
    Math.abs((places[rows[other] as number] as number) - (places[rows[i] as number] as number))
  return {
    rows,
    of(row) {
      const i = at[row] as number
      if (i === -1) return []
      const found: Neighbour[] = []
      const add = (other: number, sign: number) => {
        const away = distance(i, other)
        found.push({ row: rows[other] as number, distance: sign * away, weight: weights[away - 1] ?? 0 })
      }
      for (let other = i - 1; other >= 0 && distance(i, other) <= reach; other--) add(other, -1)
      for (let other = i + 1; other < rows.length && distance(i, other) <= reach; other++) add(other, 1)
      return found
    },
    // The same walk without the list: it runs for every candidate.
    sum(row, amounts) {
      const i = at[row] as number
      if (i === -1) return 0
      let sum = 0
      const add = (other: number) => {
        sum += (weights[distance(i, other) - 1] ?? 0) * (amounts[rows[other] as number] as number)
      }
      for (let other = i - 1; other >= 0 && distance(i, other) <= reach; other--) add(other)
      for (let other = i + 1; other < rows.length && distance(i, other) <= reach; other++) add(other)
      return sum
    },
  }
}

export interface GivenBounds extends ScoreBounds {
  /** What a row gives at the lower bound of its cosine. */
  readonly given: Float64Array
}

/**
 * The bounds of scores to which neighbours add. `givenAt` must never be negative, and monotone in the cosine: then what
 * neighbours give at the bounds of their cosines bounds what they give.
 */
export function withNeighbours(
  own: ScoreBounds,
  near: Neighbourhood,
  { cosineLow, cosineHigh, length }: CandidateTable,
  givenAt: (row: number, cosine: number) => number,
): GivenBounds {
  const [low, high] = [own.low.slice(), own.high.slice()]
  const [least, most] = [new Float64Array(length), new Float64Array(length)]
  const give = (row: number) => {
    const [from, to] = [cosineLow[row] as number, cosineHigh[row] as number]
    least[row] = givenAt(row, from)
    most[row] = from < to ? givenAt(row, to) : (least[row] as number)
  }
  const add = (row: number) => {
    low[row] = (own.low[row] as number) + near.sum(row, least)
    high[row] = (own.high[row] as number) + near.sum(row, most)
  }
  for (const row of near.rows) give(row)
  for (const row of near.rows) add(row)
  const isIn = new Uint8Array(length)
  for (const row of near.rows) isIn[row] = 1
  return {
    low,
    high,
    given: least,
    refresh(rows) {
      own.refresh(rows)
      const touched = new Set(rows)
      for (const row of rows) {
        if (isIn[row] === 0) continue
        give(row)
        for (const neighbour of near.of(row)) touched.add(neighbour.row)
      }
      for (const row of touched) if (low[row] !== Number.NEGATIVE_INFINITY) add(row)
    },
    waitsFor: (row) =>
      near.of(row).flatMap((neighbour) => (least[neighbour.row] === most[neighbour.row] ? [] : neighbour.row)),
  }
}
