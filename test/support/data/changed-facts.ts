/** Facts with a raised signal, and facts with rows in another order. */
import type { CandidateTable, Facts } from '../../../src/core/model/facts.ts'
import { createRandom } from './random.ts'

/** Ids of the candidates at most four places from the row in its session: the farthest that the policies here look. */
export function besides({ candidates: { ids, sessions } }: Facts, row: number): ReadonlySet<string> {
  if (sessions == null || sessions.group[row] === 0) return new Set()
  const { group, place } = sessions
  const away = (other: number) => Math.abs(place[other]! - place[row]!)
  return new Set(ids.filter((_, other) => group[other] === group[row] && away(other) <= 4))
}

export function raised(
  facts: Facts,
  column: 'lexical' | 'pairs' | 'terms' | 'paths' | 'cosine',
  row: number,
  by: number,
): Facts {
  const { candidates } = facts
  const raise = (values: Float64Array, most: number) =>
    values.map((value, i) => (i === row ? value + (Math.max(most, value) - value) * by : value))
  if (column !== 'cosine') {
    const most = { lexical: 1, pairs: 1, terms: 3, paths: 2 }[column]
    return { ...facts, candidates: { ...candidates, [column]: raise(candidates[column], most) } }
  }
  const cosineLow = raise(candidates.cosineLow, 1)
  return { ...facts, candidates: { ...candidates, cosineLow, cosineHigh: cosineLow.slice() } }
}

/** The same facts with the rows of the table in another order. */
export function permuted(facts: Facts, seed: number): Facts {
  const { candidates } = facts
  const order = createRandom(seed).shuffled(Array.from({ length: candidates.length }, (_, row) => row))
  const rowOf = new Map(order.map((old, row) => [old, row]))
  const renamed = (row: number) => rowOf.get(row)!
  const keyed = <T>(map: ReadonlyMap<number, T>) =>
    new Map(
      createRandom(seed + 1)
        .shuffled([...map])
        .map(([row, value]) => [renamed(row), value]),
    )
  const column = (values: Float64Array) => Float64Array.from(order, (old) => values[old]!)
  /** Columns, records of columns, and fields that are null. */
  const moved = (value: unknown): unknown => {
    if (value instanceof Float64Array) return column(value)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, moved(part)]))
  }
  const { length, ids, newest, ...columns } = candidates
  const table = {
    ...(moved(columns) as Omit<CandidateTable, 'length' | 'ids' | 'newest'>),
    length,
    ids: order.map((old) => ids[old]!),
    newest: newest?.map(renamed) ?? null,
  }
  const duplicates = new Map(
    Array.from(keyed(facts.duplicates), ([row, others]) => [row, others.map(renamed).reverse()]),
  )
  return {
    ...facts,
    candidates: table,
    gates: keyed(facts.gates),
    reasons: keyed(facts.reasons),
    freshness: keyed(facts.freshness),
    records: keyed(facts.records),
    duplicates,
  }
}
