/** The lexical channel: scores the posting lists of the query's terms by BM25. */

import type { LexicalScorer } from '../../src/core/lexical/bm25.ts'
import type { LexicalFacts } from '../../src/core/model/facts.ts'
import type { QueryPlan, TypedWord } from '../../src/core/model/query-plan.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { KeySet } from '../store/port/store.ts'
import { depthOf } from './few/breadth.ts'
import { type KeyParts, type Keys, selectTopOfEach } from './key-parts.ts'
import type { RetrievalPorts } from './ports.ts'
import { isInScope, postingsOf } from './term-postings.ts'

export interface LexicalHits {
  /** The matches within the depth of the policy, in no order. */
  readonly matches: Keys
  readonly score: (key: number) => number
  readonly coverage: (key: number) => number
  /** Ranks among all matches, from 1; null for a record without a word of the query. */
  readonly ranksOf: (keys: readonly number[]) => readonly (number | null)[]
  readonly matched: (key: number) => number
  readonly pairs: (key: number) => number
  /** The same for the text with its last word taken as complete; null unless the last word is still being typed. */
  readonly complete: Pick<LexicalHits, 'coverage' | 'matched'> | null
  readonly facts: LexicalFacts | null
  readonly plan: ChannelPlan
}

export function gatherLexical(
  plan: QueryPlan,
  { store, scorer, completeScorer }: RetrievalPorts,
  scopeKeys: KeySet | null,
  parts: KeyParts,
  /** Why the channel cannot find anything; null otherwise. */
  absent: string | null,
): LexicalHits {
  const depth = depthOf(plan, 'lexical')
  if (plan.terms.length === 0 || depth === 0) return withoutHits(plan)
  const statistics =
    plan.policy.lexical.statistics === 'fts5'
      ? store.wholeStatistics()
      : { ...store.statistics(scopeKeys), lengths: store.lengths() }
  const meanLength = statistics.records === 0 ? 0 : statistics.tokens / statistics.records
  if (absent !== null)
    return { ...withoutHits(plan), facts: { ...noMatches, meanLength }, plan: { ...notRun, why: absent } }
  const score = (by: LexicalScorer, read: Pick<QueryPlan, 'terms' | 'pairs' | 'joins'>) => {
    const { terms: postings, pairs } = postingsOf(store, read, scopeKeys)
    const terms = read.terms.map((term, i) => ({ ...term, ...postings[i]! }))
    return by.score(
      // Optional terms come last, so leaving one out changes no number of another.
      terms.filter(({ optional, keys }) => optional !== true || isInScope(keys, scopeKeys)),
      read.pairs.map(({ terms }, i) => ({ terms, keys: pairs[i]!.keys })),
      { ...statistics, scopeKeys },
      plan.policy.lexical,
    )
  }
  const scoreComplete = ({ complete: terms, term, joins }: TypedWord) => {
    const { idfs, coverage, matched } = score(completeScorer, { terms, pairs: [], joins })
    const all = idfs.reduce((sum, idf) => sum + idf, 0)
    return { coverage, matched, typedShare: term === -1 || all === 0 ? 0 : idfs[term]! / all }
  }
  const scores = score(scorer, plan)
  const complete = plan.typed === null ? null : scoreComplete(plan.typed)
  const matched = scores.keys.length
  const matches = selectTopOfEach(scores.keys, parts, scores.score, depth, store)
  return {
    matches,
    score: scores.score,
    coverage: scores.coverage,
    ranksOf: (keys) => ranksAmong(scores.keys, scores.score, keys),
    matched: scores.matched,
    pairs: scores.pairs,
    complete,
    facts: {
      mean: scores.mean,
      deviation: scores.deviation,
      best: scores.best,
      highest: scores.highest,
      meanLength,
      ...(complete === null ? {} : { typedShare: complete.typedShare }),
    },
    plan: { ran: true, mode: 'exact', scanned: scores.scanned, matched, complete: matches.length === matched },
  }
}

/** One more than the number of matches with a higher score. */
function ranksAmong(matches: Uint32Array, score: (key: number) => number, keys: readonly number[]) {
  const ascending = Float64Array.from(keys, score).sort()
  // At i: how many matches have a score above i of the keys' scores, and not above more.
  const above = new Uint32Array(ascending.length + 1)
  const lowest = ascending[0] ?? Number.POSITIVE_INFINITY
  for (const match of matches) {
    const own = score(match)
    // Most matches are below every one of the keys.
    if (own > lowest) above[countBelow(ascending, own)]!++
  }
  for (let i = ascending.length; i > 0; i--) above[i - 1]! += above[i]!
  return keys.map((key) => {
    const own = score(key)
    return own === 0 ? null : above[countBelow(ascending, own) + ascending.filter((other) => other === own).length]! + 1
  })
}

/** How many of the ascending values are below the limit. */
function countBelow(values: Float64Array, limit: number): number {
  let from = 0
  for (let to = values.length; from < to; ) {
    const middle = (from + to) >> 1
    if (values[middle]! < limit) from = middle + 1
    else to = middle
  }
  return from
}

const noMatches = { mean: 0, deviation: 0, best: 0, highest: 0 }
const notRun = { ran: false, scanned: 0, matched: 0, complete: true }

function withoutHits(plan: QueryPlan): LexicalHits {
  const text = plan.text === '' ? 'the query has no text' : 'the text holds no word'
  const why = plan.policy.depths.lexical === 0 ? 'the policy does not use it' : text
  return {
    matches: [],
    score: () => 0,
    coverage: () => 0,
    ranksOf: (keys) => keys.map(() => null),
    matched: () => 0,
    pairs: () => 0,
    complete: null,
    facts: null,
    plan: { ...notRun, why },
  }
}
