/** Bounds the convex score of a record of which only little is known. */

import type { Facts } from '../model/facts.ts'
import type { ConvexPolicy } from '../model/policy.ts'
import type { RecallQuery } from '../model/query.ts'
import { backgroundOf, meaningWeight } from '../signals/meaning.ts'

/** What words and word pairs add to a score, by the lexical share and the share of pairs. `highest`: the largest BM25. */
export function textAmount({ fusion }: ConvexPolicy, highest: number): (share: number, pairs: number) => number {
  const ofPairs = fusion.pairs ?? 0
  if (fusion.lexicalScale === 'absolute') return (share, pairs) => fusion.lexical * share + ofPairs * pairs
  return (share, pairs) => (fusion.lexical * share * highest) / (1 + share * highest) + ofPairs * pairs
}

/** What is known of a record: most that words add, an upper bound of its cosine, and whether some signals can be above 0. */
export interface Known {
  readonly text: number
  /** −Infinity: it has no vector. */
  readonly cosine: number
  readonly hasReasons: boolean
  readonly hasFreshness: boolean
  readonly hasTime: boolean
}

/** No record of which this is known has a higher score, unless a name, a path or a link finds it, or it has neighbours. */
export function convexCeiling(
  policy: ConvexPolicy,
  { prefer = {} }: RecallQuery,
  { lexical, vector }: Pick<Facts, 'lexical' | 'vector'>,
  { text, cosine, hasReasons, hasFreshness, hasTime }: Known,
): number {
  const { fusion, learned } = policy
  const above = Math.min(1, Math.max(0, cosine - backgroundOf(vector, fusion.meaning)))
  const meaning = meaningWeight(lexical, vector, fusion.meaning) * above * above
  const preferred = (['project', 'kind', 'topic'] as const).reduce(
    (sum, field) => (prefer[field] === undefined ? sum : sum + Math.max(0, policy.prefer[field])),
    0,
  )
  const fresh = hasFreshness ? Math.max(0, ...Object.values(policy.freshness)) : 0
  const sum =
    text +
    meaning +
    fusion.cosine * Math.max(0, cosine) +
    preferred +
    Math.max(0, policy.recency) +
    (hasReasons ? policy.reasonBound : 0) +
    fresh +
    (hasTime ? (fusion.time ?? 0) : 0) +
    learned.confidence +
    learned.access
  return sum * (1 + roundingSlack) + roundingSlack
}

/** More than what rounding can change in a sum of so few signals. */
const roundingSlack = 1e-9
