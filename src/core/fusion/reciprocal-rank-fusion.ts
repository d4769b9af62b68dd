/**
 * Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): merges several rankings into one by ranks alone.
 * The scores behind the lists do not count.
 */
import { recallError } from '../model/errors.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'

/** Rankings, best id first: an object of named lists, or an array, whose names are the indexes. */
export type RankedLists = Readonly<Record<string, readonly string[]>> | readonly (readonly string[])[]

export interface FusionOptions {
  /** Added to every rank. The larger, the less the first ranks differ. At least 0, default 60. */
  readonly offset?: number | undefined
  /** Factor of each list, by its name or index; at least 0, default 1. A list of weight 0 adds ids, but no score. */
  readonly weights?: Readonly<Record<string, number>> | readonly number[] | undefined
}

export interface FusedHit {
  readonly id: string
  /** Σ weight / (offset + rank) over the lists that contain the id. */
  readonly score: number
  /** Rank from 1 in each list that contains the id, by the name of the list. */
  readonly ranks: Readonly<Record<string, number>>
}

/**
 * Returns every id of any list, by score, then by id in code point order, both descending. If a list repeats an id, its best
 * rank counts. The order of the lists and of their names does not change any bit of the result [F1].
 * Throws `INVALID_ARGUMENT` for an invalid offset, weight or list.
 */
export function reciprocalRankFusion(lists: RankedLists, options: FusionOptions = {}): FusedHit[] {
  const { offset = 60 } = options
  if (!(Number.isFinite(offset) && offset >= 0))
    throw recallError('INVALID_ARGUMENT', 'must be a finite number of at least 0', {
      field: 'offset',
      value: offset,
      hint: 'Give a number such as 60, or leave it out.',
    })
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
      throw recallError('INVALID_ARGUMENT', 'must be an array of ids', {
        field: `lists.${name}`,
        value: ids,
        hint: 'Give the ids of the list, best first.',
      })
    weighted.set(name, { ids, weight: weightByName.get(name) ?? 1 })
  }
  for (const [name, weight] of weightByName) {
    const field = `weights.${name}`
    if (!weighted.has(name))
      throw recallError('INVALID_ARGUMENT', 'must be the weight of a given list', {
        field,
        value: weight,
        hint: `Use the name of a list: ${[...weighted.keys()].join(', ') || 'none'}.`,
      })
    // Far above any use, and low enough to keep every sum finite.
    if (!(weight >= 0 && weight <= 1e100))
      throw recallError('INVALID_ARGUMENT', 'must be a finite number of at least 0', {
        field,
        value: weight,
        hint: 'Give a number, or leave it out for 1.',
      })
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
  // Sorted by size: a sum of doubles depends on the order of its terms, and the order of the lists must not matter.
  return amounts.sort((a, b) => a - b).reduce((sum, amount) => sum + amount, 0)
}
