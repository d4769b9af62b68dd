/**
 * Propagates scores over links: from the seeds over one or more hops, weaker with each hop. Breadth first. An id keeps the
 * best score of all its paths. The result does not contain the seeds.
 */
import { recallError } from '../model/errors.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'

/** Two ids and the weight of their link, in (0, 1]. The order of the ids has no meaning. */
export type CoOccurrenceEdge = readonly [string, string, number]

export interface PropagateOptions {
  /** Most hops. Default 2; 0 finds nothing. */
  readonly depth?: number
  /** Factor for each hop, in (0, 1]. Default 0.5. */
  readonly decayPerHop?: number
  /** Least score: a path below it ends. Default 0.01. */
  readonly threshold?: number
}

/**
 * The score of every id in reach: the largest product, over the paths from a seed, of `decayPerHop` · weight. Weights above 1
 * count as 1. Links without a positive weight are ignored; of two links between the same ids the stronger counts. Iterates by
 * score, then id in code point order, both descending [F3], whatever the order of the edges.
 * Throws `INVALID_ARGUMENT` for options out of range.
 */
export function propagate(
  edges: readonly CoOccurrenceEdge[],
  seeds: readonly string[],
  options: PropagateOptions = {},
): Map<string, number> {
  const { depth, decayPerHop, threshold } = resolveOptions(options)
  const neighbours = neighboursById(edges)
  const best = new Map<string, number>(seeds.map((seed) => [seed, 1]))
  let frontier = new Map(best)
  for (let hop = 0; hop < depth && frontier.size > 0; hop++) {
    const reached = new Map<string, number>()
    for (const [id, score] of frontier)
      for (const [neighbour, weight] of neighbours.get(id) ?? []) {
        const passedOn = score * decayPerHop * weight
        if (passedOn < threshold || passedOn <= (best.get(neighbour) ?? 0)) continue
        best.set(neighbour, passedOn)
        reached.set(neighbour, passedOn)
      }
    frontier = reached
  }
  for (const seed of seeds) best.delete(seed)
  return new Map([...best].sort(byScoreThenId))
}

function resolveOptions({
  depth = 2,
  decayPerHop = 0.5,
  threshold = 0.01,
}: PropagateOptions): Required<PropagateOptions> {
  if (!(Number.isSafeInteger(depth) && depth >= 0))
    throw recallError('INVALID_ARGUMENT', 'must be an integer of at least 0', {
      field: 'depth',
      value: depth,
      hint: 'Give an integer, or leave it out.',
    })
  // A factor above 1 would make long paths stronger than short ones.
  if (!(decayPerHop > 0 && decayPerHop <= 1))
    throw recallError('INVALID_ARGUMENT', 'must be above 0 and at most 1', {
      field: 'decayPerHop',
      value: decayPerHop,
      hint: 'Give a share such as 0.5.',
    })
  if (!(threshold >= 0))
    throw recallError('INVALID_ARGUMENT', 'must be at least 0', {
      field: 'threshold',
      value: threshold,
      hint: 'Give a number of at least 0.',
    })
  return { depth, decayPerHop, threshold }
}

function neighboursById(edges: readonly CoOccurrenceEdge[]): Map<string, [string, number][]> {
  const neighbours = new Map<string, [string, number][]>()
  for (const [a, b, weight] of edges) {
    if (!(weight > 0)) continue
    const capped = Math.min(weight, 1)
    listOf(neighbours, a).push([b, capped])
    listOf(neighbours, b).push([a, capped])
  }
  return neighbours
}

function listOf<Value>(lists: Map<string, Value[]>, id: string): Value[] {
  const known = lists.get(id)
  if (known !== undefined) return known
  const created: Value[] = []
  lists.set(id, created)
  return created
}

function byScoreThenId([idA, a]: [string, number], [idB, b]: [string, number]): number {
  return b - a || compareCodePoints(idB, idA)
}
