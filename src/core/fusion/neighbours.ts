/**
 * Adds shares of the query signals of adjacent records to a record: what the query finds at one position of a session is
 * evidence for the positions next to it, by a weight for each distance. Only candidates that pass the gates count. Shares are
 * computed from a record's own query signals, without shares from its neighbours, freshness, reasons or learned data.
 */

import { recallError } from '../model/errors.ts'
import type { CandidateTable } from '../model/facts.ts'
import type { NeighbourShares } from '../model/policy.ts'
import type { ScoreBounds } from '../order/bounds.ts'
import { receivedShare } from './received-lengths.ts'

export interface Neighbour {
  readonly row: number
  /** Positions after the record; negative if before it. */
  readonly distance: number
  readonly weight: number
}

export interface Neighbourhood {
  /** Rows that have a neighbour. */
  readonly rows: readonly number[]
  /** The nearest first; of two at one distance, the one before. Sums use this order, so they do not depend on the order of rows. */
  of(row: number): readonly Neighbour[]
  /** Σ weight × amount over the neighbours. */
  sum(row: number, amounts: Float64Array): number
}

/** Whether a policy with these shares uses neighbours. */
export function anyShare(shares: NeighbourShares | undefined): shares is NeighbourShares {
  return shares !== undefined && [...shares.before, ...shares.after].some((share) => share !== 0)
}

/** Null if no row has a neighbour. */
export function neighbourhoodOf(
  neighbours: NeighbourShares | undefined,
  { sessions, length }: CandidateTable,
  eligible: Int32Array,
): Neighbourhood | null {
  if (!anyShare(neighbours)) return null
  const { before, after, halfLength } = neighbours
  // Facts captured by an older version have no sessions, or none with lengths.
  if (sessions === undefined || (sessions !== null && sessions.length === undefined)) {
    throw recallError('INVALID_ARGUMENT', 'must contain the sessions of the candidates with their lengths', {
      field: 'facts',
      hint: 'Pass the facts captured with this receipt. Replay with the version of Scrubjay that made it.',
    })
  }
  if (sessions === null) return null
  // Integers are faster here, and all of this runs for every candidate.
  const group = new Int32Array(sessions.group)
  const place = new Int32Array(sessions.place)
  const rowAt = placesOf(group, place, eligible)
  /** By row and distance: the row before it, then the row after it; −1 for none. */
  const reach = Math.max(before.length, after.length)
  const near = 2 * reach
  const adjacent = new Int32Array(length * near).fill(-1)
  let pairs = 0
  for (let i = 0; i < eligible.length; i++) {
    const row = eligible[i]!
    if (group[row] === 0) continue
    for (let k = 0; k < reach; k++) {
      const next = rowAt(group[row]!, place[row]! + k + 1)
      if (next === -1) continue
      adjacent[row * near + 2 * k + 1] = next
      adjacent[next * near + 2 * k] = row
      pairs++
    }
  }
  if (pairs === 0) return null
  // The same without gaps: the neighbours of a row are at `starts[row]` to `starts[row + 1]`.
  const starts = new Int32Array(length + 1)
  const others = new Int32Array(2 * pairs)
  const steps = new Int32Array(2 * pairs)
  const shares = new Float64Array(2 * pairs)
  const rows: number[] = []
  for (let row = 0, at = 0; row < length; row++) {
    const kept = halfLength === undefined ? 1 : receivedShare(sessions.length[row]!, halfLength)
    for (let k = 0; k < near; k++) {
      const other = adjacent[row * near + k]!
      if (other === -1) continue
      others[at] = other
      steps[at] = k
      shares[at++] = ((k % 2 === 0 ? before : after)[k >> 1] ?? 0) * kept
    }
    starts[row + 1] = at
    if (at > starts[row]!) rows.push(row)
  }
  return {
    rows,
    of(row) {
      const found: Neighbour[] = []
      for (let at = starts[row]!; at < starts[row + 1]!; at++) {
        const step = steps[at]!
        const away = (step >> 1) + 1
        found.push({
          row: others[at]!,
          distance: step % 2 === 0 ? -away : away,
          weight: shares[at]!,
        })
      }
      return found
    },
    sum(row, amounts) {
      const end = starts[row + 1]!
      let sum = 0
      for (let at = starts[row]!; at < end; at++) sum += shares[at]! * amounts[others[at]!]!
      return sum
    },
  }
}

/** Finds the eligible row at a place of a session, −1 for none. A hash table with open addressing, because it runs for every candidate. */
function placesOf(
  group: Int32Array,
  place: Int32Array,
  eligible: Int32Array,
): (group: number, place: number) => number {
  let bits = 2
  while (1 << bits < 2 * eligible.length) bits++
  const last = (1 << bits) - 1
  const table = new Int32Array(last + 1).fill(-1)
  // Multiplying by an odd number near 2³² / the golden ratio spreads the high bits of adjacent numbers (Knuth).
  const start = (session: number, at: number) =>
    Math.imul(Math.imul(session, 0x9e3779b1) + at, 0x9e3779b1) >>> (32 - bits)
  for (let i = 0; i < eligible.length; i++) {
    const row = eligible[i]!
    if (group[row] === 0) continue
    let slot = start(group[row]!, place[row]!)
    while (table[slot] !== -1) slot = (slot + 1) & last
    table[slot] = row
  }
  return (session, at) => {
    for (let slot = start(session, at); ; slot = (slot + 1) & last) {
      const row = table[slot]!
      if (row === -1 || (group[row] === session && place[row] === at)) return row
    }
  }
}

export interface GivenBounds extends ScoreBounds {
  /** The shares that a row gives at the lower bound of its cosine. */
  readonly given: Float64Array
}

/**
 * The bounds of scores with neighbours. `givenAt` must be monotone in the cosine and never negative. Then its values at the
 * bounds of the cosines are bounds on what neighbours add.
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
    const [from, to] = [cosineLow[row]!, cosineHigh[row]!]
    least[row] = givenAt(row, from)
    most[row] = from < to ? givenAt(row, to) : least[row]!
  }
  const add = (row: number) => {
    low[row] = own.low[row]! + near.sum(row, least)
    high[row] = own.high[row]! + near.sum(row, most)
  }
  for (const row of near.rows) give(row)
  for (const row of near.rows) add(row)
  return {
    low,
    high,
    given: least,
    refresh(rows) {
      own.refresh(rows)
      const touched = new Set<number>()
      for (const row of rows) {
        if (low[row] === Number.NEGATIVE_INFINITY) continue
        touched.add(row)
        give(row)
        for (const neighbour of near.of(row)) touched.add(neighbour.row)
      }
      for (const row of touched) add(row)
    },
    dependsOn: (row) =>
      near.of(row).flatMap((neighbour) => (least[neighbour.row] === most[neighbour.row] ? [] : neighbour.row)),
  }
}
