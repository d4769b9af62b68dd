/** Bounds the convex score of a record of which only little is known. */

import type { Facts } from '../model/facts.ts'
import type { ConvexPolicy } from '../model/policy.ts'
import { backgroundOf, meaningWeight } from '../signals/meaning.ts'

/** What words and word pairs add to a score, by the lexical share and the share of pairs. `highest`: the largest BM25. */
export function textAmount({ fusion }: ConvexPolicy, highest: number): (share: number, pairs: number) => number {
  const ofPairs = fusion.pairs ?? 0
  if (fusion.lexicalScale === 'absolute') return (share, pairs) => fusion.lexical * share + ofPairs * pairs
  return (share, pairs) => (fusion.lexical * share * highest) / (1 + share * highest) + ofPairs * pairs
}

/** Most that the vector of the query adds to the score of a record whose cosine is at most the given one; −Infinity: it has no vector. */
export function vectorAmount(
  { fusion }: ConvexPolicy,
  { lexical, vector }: Pick<Facts, 'lexical' | 'vector'>,
): (cosine: number) => number {
  const background = backgroundOf(vector, fusion.meaning)
  const weight = meaningWeight(lexical, vector, fusion.meaning)
  return (cosine) => {
    const above = Math.min(1, Math.max(0, cosine - background))
    return weight * above * above + fusion.cosine * Math.max(0, cosine)
  }
}

/** The largest sum of all shares that a record may receive from its neighbours. */
export function mostShares({ fusion: { neighbours } }: ConvexPolicy): number {
  if (neighbours === undefined) return 0
  return [...neighbours.before, ...neighbours.after].reduce((sum, share) => sum + share, 0)
}

/** The sum, and more than what rounding can change in so few summands. */
export function withSlack(sum: number): number {
  return sum === Number.NEGATIVE_INFINITY ? sum : sum + Math.abs(sum) * roundingSlack + roundingSlack
}

const roundingSlack = 1e-9
