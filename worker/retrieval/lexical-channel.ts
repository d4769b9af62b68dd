/** The lexical channel: scores the posting lists of the query's terms by BM25. */

import { kthLargest } from '../../src/core/collections/select-top.ts'
import { textAmount } from '../../src/core/fusion/convex-ceiling.ts'
import type { LexicalScorer, LexicalScores } from '../../src/core/lexical/bm25.ts'
import type { LexicalFacts } from '../../src/core/model/facts.ts'
import { isConvex } from '../../src/core/model/policy.ts'
import type { QueryPlan, TypedWord } from '../../src/core/model/query-plan.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { Members } from '../store/port/store.ts'
import type { Breadth } from './breadth.ts'
import { type KeyParts, selectTopOfEach } from './key-parts.ts'
import type { RetrievalPorts } from './ports.ts'
import { isInScope, postingsOf } from './term-postings.ts'

export interface LexicalHits {
  readonly keys: readonly number[]
  /** Most that words and word pairs add to the score of a match that is not in `keys`; null if all are. */
  readonly mostOmitted: number | null
  readonly score: (key: number) => number
  readonly coverage: (key: number) => number
  /** Rank among all matches, from 1; null for a record without a word of the query. */
  readonly rankOf: (key: number) => number | null
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
  members: Members | null,
  parts: KeyParts,
  /** Why the channel cannot find anything; null otherwise. */
  absent: string | null,
  /** Which matches become candidates; null: all within the depth of the policy. */
  breadth: Breadth | null,
): LexicalHits {
  const depth = plan.policy.depths.lexical
  if (plan.terms.length === 0 || depth === 0) return withoutHits(plan)
  const statistics =
    plan.policy.lexical.statistics === 'fts5'
      ? store.wholeStatistics()
      : { ...store.statistics(members), lengths: store.lengths() }
  const meanLength = statistics.records === 0 ? 0 : statistics.tokens / statistics.records
  if (absent !== null)
    return { ...withoutHits(plan), facts: { ...noMatches, meanLength }, plan: { ...notRun, why: absent } }
  const score = (by: LexicalScorer, read: Pick<QueryPlan, 'terms' | 'pairs' | 'joins'>) => {
    const { terms: postings, pairs } = postingsOf(store, read, members)
    const terms = read.terms.map((term, i) => ({ ...term, ...postings[i]! }))
    return by.score(
      // Optional terms come last, so leaving one out changes no number of another.
      terms.filter(({ optional, keys }) => optional !== true || isInScope(keys, members)),
      read.pairs.map(({ terms }, i) => ({ terms, keys: pairs[i]!.keys })),
      { ...statistics, members },
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
  const { keys, mostOmitted } =
    breadth !== null && isConvex(plan.policy)
      ? bestByText(scores, textAmount(plan.policy, scores.highest), breadth)
      : { keys: selectTopOfEach(scores.keys, parts, scores.score, depth, store), mostOmitted: null }
  const isComplete = breadth === null ? keys.length === matched : fitsDepth(scores.keys, parts, depth)
  return {
    keys,
    mostOmitted,
    score: scores.score,
    coverage: scores.coverage,
    rankOf(key) {
      const own = scores.score(key)
      let better = 0
      for (const other of scores.keys) if (scores.score(other) > own) better++
      return own === 0 ? null : better + 1
    },
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
    plan: { ran: true, mode: 'exact', scanned: scores.scanned, matched, complete: isComplete },
  }
}

/** Whether every match is within the depth of its part of the scope. */
function fitsDepth(keys: Uint32Array, { closed }: KeyParts, depth: number): boolean {
  if (keys.length <= depth) return true
  const filtered = closed.size === 0 ? 0 : keys.reduce((count, key) => (closed.has(key) ? count + 1 : count), 0)
  return filtered <= depth && keys.length - filtered <= depth
}

/** The matches to which words and pairs add most, with all that tie, and the most that they add to another. */
function bestByText(
  scores: LexicalScores,
  amountOf: (share: number, pairs: number) => number,
  { matches, leastText }: Breadth,
) {
  const { keys } = scores
  const amounts = new Float64Array(keys.length)
  for (let i = 0; i < keys.length; i++) amounts[i] = amountOf(scores.score(keys[i]!), scores.pairs(keys[i]!))
  const least = Math.min(kthLargest(amounts, matches), leastText)
  const chosen: number[] = []
  let mostOmitted: number | null = null
  for (let i = 0; i < keys.length; i++) {
    if (amounts[i]! >= least) chosen.push(keys[i]!)
    else mostOmitted = Math.max(mostOmitted ?? 0, amounts[i]!)
  }
  return { keys: chosen, mostOmitted }
}

const noMatches = { mean: 0, deviation: 0, best: 0, highest: 0 }
const notRun = { ran: false, scanned: 0, matched: 0, complete: true }

function withoutHits(plan: QueryPlan): LexicalHits {
  const text = plan.text === '' ? 'the query has no text' : 'the text holds no word'
  const why = plan.policy.depths.lexical === 0 ? 'the policy does not use it' : text
  return {
    keys: [],
    mostOmitted: null,
    score: () => 0,
    coverage: () => 0,
    rankOf: () => null,
    matched: () => 0,
    pairs: () => 0,
    complete: null,
    facts: null,
    plan: { ...notRun, why },
  }
}
