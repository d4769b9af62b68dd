/**
 * Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): several rankings become one, by ranks alone.
 * Scores of the lists are never looked at; a list says only who stands before whom.
 */
import { recallError } from '../model/errors.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'

/** Rankings, best id first: by name, or in an array, where the name is the index. */
export type RankedLists = Readonly<Record<string, readonly string[]>> | readonly (readonly string[])[]

export interface FusionOptions {
  /** Added to every rank; the larger, the less the first places stand out. At least 0, default 60. */
  readonly offset?: number | undefined
  /** Factor of each list, by its name or index; at least 0, default 1. At 0 a list brings ids, but no score. */
  readonly weights?: Readonly<Record<string, number>> | readonly number[] | undefined
}

export interface FusedHit {
  readonly id: string
  /** Σ weight / (offset + rank) over the lists that hold the id. */
  readonly score: number
  /** Rank from 1 in each list that holds the id, by the list's name. */
  readonly ranks: Readonly<Record<string, number>>
}

/**
 * Every id of any list, by score, then id by code points, both descending. An id that a list repeats counts there at
 * its best rank. Neither the order of the lists nor that of their names matters, to the last bit [F1].
 * Throws `INVALID_ARGUMENT` for an offset, weight or list that is none.
 */
export function reciprocalRankFusion(lists: RankedLists, options: FusionOptions = {}): FusedHit[] {
  const { offset = 60 } = options
  if (!(Number.isFinite(offset) && offset >= 0))
    throw recallError('INVALID_ARGUMENT', 'must be a finite number of at least 0', { field: 'offset', value: offset })
  const weighted = weightedLists(lists, options.weights ?? {})
  return [...ranksById(weighted)]
    .map(([id, ranks]) => ({ id, score: fusedScore(ranks, weighted, offset), ranks: Object.fromEntries(ranks) }))
    .sort((a, b) => b.score - a.score || compareCodePoints(b.id, a.id))
}

interface WeightedList {
  readonly ids: readonly string[]
  readonly weight: number
}

function weightedLists(lists: RankedLists, weights: NonNullable<FusionOptions['weights']>): Map<string, WeightedList> {
  const weightByName = new Map<string, number>(Object.entries(weights))
  const weighted = new Map<string, WeightedList>()
  for (const [name, ids] of Object.entries(lists)) {
    if (!Array.isArray(ids))
      throw recallError('INVALID_ARGUMENT', 'must be an array of ids', { field: `lists.${name}`, value: ids })
    weighted.set(name, { ids, weight: weightByName.get(name) ?? 1 })
  }
  for (const [name, weight] of weightByName) {
    const field = `weights.${name}`
    if (!weighted.has(name))
      throw recallError('INVALID_ARGUMENT', 'must belong to a list', {
        field,
        value: weight,
        hint: `Use the name of a list: ${[...weighted.keys()].join(', ') || 'none'}.`,
      })
    // Far above any use, and low enough for every sum to stay finite.
    if (!(weight >= 0 && weight <= 1e100))
      throw recallError('INVALID_ARGUMENT', 'must be a finite number of at least 0', { field, value: weight })
  }
  return weighted
}

function ranksById(lists: ReadonlyMap<string, WeightedList>): Map<string, Map<string, number>> {
  const ranksOf = new Map<string, Map<string, number>>()
  for (const [name, { ids }] of lists)
    for (const [index, id] of ids.entries()) {
      const ranks = ranksOf.get(id) ?? new Map<string, number>()
      if (!ranks.has(name)) ranks.set(name, index + 1)
      ranksOf.set(id, ranks)
    }
  return ranksOf
}

function fusedScore(
  ranks: ReadonlyMap<string, number>,
  lists: ReadonlyMap<string, WeightedList>,
  offset: number,
): number {
  const amounts = [...ranks].map(([name, rank]) => lists.get(name)!.weight / (offset + rank))
  // By size, for a sum of doubles depends on the order of its terms, and that of the lists must not show.
  return amounts.sort((a, b) => a - b).reduce((sum, amount) => sum + amount, 0)
}
