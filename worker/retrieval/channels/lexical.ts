/** The lexical channel: scores the posting lists of the query's terms by BM25. */

import type { LexicalScorer, LexicalScores } from '../../../src/core/lexical/bm25.ts'
import type { CandidateTable, LexicalFacts } from '../../../src/core/model/facts.ts'
import type { QueryPlan, TypedWord } from '../../../src/core/model/query-plan.ts'
import type { ChannelPlan } from '../../../src/core/model/result.ts'
import { depthOf } from '../question/budget.ts'
import { type Keys, selectTopOfEach } from '../question/key-parts.ts'
import type { CandidateRows } from '../question/key-rows.ts'
import type { RetrievalPorts } from '../question/ports.ts'
import type { Question } from '../question/question.ts'
import { isInScope, postingsOf } from '../words/term-postings.ts'
import { withTypedWord, withWrittenForms } from '../words/written-form.ts'
import { constant, notRun, type OpenChannel } from './channel.ts'

type Column = 'lexical' | 'coverage' | 'matched' | 'pairs' | 'complete'

export interface LexicalChannel extends OpenChannel<Column>, WordScores {
  /** The matches within the depth of the policy, in no order. */
  readonly matches: Keys
  /** Ranks among all matches, from 1; null for a record without a word of the query. */
  ranksOf(keys: readonly number[]): readonly (number | null)[]
  readonly facts: LexicalFacts | null
  /** The passages of a long record with a word of the query, the best first. */
  passages(key: number, most: number): readonly number[]
}

/** By key; 0 for a record without a word of the query. */
interface WordScores {
  score(key: number): number
  coverage(key: number): number
  matched(key: number): number
  pairs(key: number): number
  /** The same for the text with its last word taken as complete; null unless the last word is still being typed. */
  readonly complete: Pick<WordScores, 'coverage' | 'matched'> | null
}

export function lexicalChannel(question: Question, { scorer, completeScorer }: RetrievalPorts): LexicalChannel {
  const { store, plan, scope, parts, absent } = question
  const depth = depthOf(plan, 'lexical')
  if (plan.terms.length === 0 || depth === 0) return withoutMatches(notRun(whyNot(plan)), null)
  const statistics = statisticsOf(question)
  const meanLength = statistics.records === 0 ? 0 : statistics.tokens / statistics.records
  if (absent !== null) return withoutMatches(notRun(absent), { ...noMatches, meanLength })
  const score = (by: LexicalScorer, read: Pick<QueryPlan, 'terms' | 'pairs' | 'joins'>) => {
    const { terms: postings, pairs } = postingsOf(store, read, scope)
    const { units, statistics: kind } = plan.policy.lexical
    const isWritten = units === 'words' && kind === 'scope'
    const lists = !isWritten
      ? postings
      : plan.typed === null
        ? withWrittenForms(read, plan.otherWords.length, postings, store, scope)
        : withTypedWord(read.terms, plan.typed.word, postings, store)
    const all = read.terms.map((term, i) => ({ ...term, ...lists[i]! }))
    // Optional terms come last, so leaving one out changes no number of another.
    const terms = all.filter(({ optional, keys }) => optional !== true || isInScope(keys, scope))
    const scores = by.score(
      terms,
      read.pairs.map(({ terms }, i) => ({ terms, keys: pairs[i]!.keys, passages: pairs[i]!.passages })),
      { ...statistics, scopeKeys: scope },
      plan.policy.lexical,
    )
    return { ...scores, weights: terms.map(({ weight }) => weight), namedShare: shareOfNames(terms, scores) }
  }
  const scoreComplete = ({ complete: terms, term, joins }: TypedWord) => {
    const { idfs, coverage, matched } = score(completeScorer, { terms, pairs: [], joins })
    const all = idfs.reduce((sum, idf) => sum + idf, 0)
    return { coverage, matched, typedShare: term === -1 || all === 0 ? 0 : idfs[term]! / all }
  }
  const scores = score(scorer, plan)
  const complete = plan.typed === null ? null : scoreComplete(plan.typed)
  const matches = selectTopOfEach(scores.keys, parts, scores.score, depth, store)
  const words = {
    score: scores.score,
    coverage: scores.coverage,
    matched: scores.matched,
    pairs: scores.pairs,
    complete,
  }
  const { mean, deviation, best, highest, scanned, keys } = scores
  const isComplete = matches.length === keys.length
  return {
    ...words,
    ...channelOf(words, matches, {
      ran: true,
      mode: 'exact',
      scanned,
      matched: keys.length,
      complete: isComplete,
    }),
    ranksOf: (some) => ranksAmong(keys, scores.score, some),
    passages: scores.passages,
    facts: {
      mean,
      deviation,
      best,
      highest,
      meanLength,
      ...(plan.policy.lexical.statistics === 'scope'
        ? { idfs: scores.idfs, terms: { weights: scores.weights, frequencies: scores.frequencies } }
        : {}),
      ...(complete === null ? {} : { typedShare: complete.typedShare }),
      ...(scores.namedShare === 0 ? {} : { namedShare: scores.namedShare }),
    },
  }
}

/** Of the weights of all terms, those of the wholes that the scope has. */
function shareOfNames(terms: QueryPlan['terms'], { idfs, frequencies }: LexicalScores): number {
  let named = 0
  let all = 0
  for (const [i, idf] of idfs.entries()) {
    all += idf
    if (terms[i]!.isName === true && frequencies[i]! > 0) named += idf
  }
  return all === 0 ? 0 : named / all
}

/** Under a policy that says so, a long record counts by its passages. */
function statisticsOf({ store, plan: { policy }, scope }: Question) {
  if (policy.lexical.statistics === 'fts5') return store.wholeStatistics()
  const records = store.statistics(scope)
  const { passages: by } = policy.lexical
  const table = by === undefined ? null : store.passages()
  if (by === undefined || table === null) return { ...records, lengths: store.lengths() }
  return { ...records, lengths: store.lengths(), passages: { ...table, ...store.passageStatistics(scope, by) } }
}

function channelOf(words: WordScores, matches: Keys, plan: ChannelPlan) {
  return {
    matches,
    ...constant<Column>({ keys: matches, plan, columns: (rows) => columnsOf(words, rows) }),
  }
}

function columnsOf(words: WordScores, { keys }: CandidateRows): Pick<CandidateTable, Column> {
  const column = () => new Float64Array(keys.length)
  const [lexical, coverage, matched, pairs] = [column(), column(), column(), column()]
  const complete = words.complete === null ? null : { coverage: column(), matched: column() }
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row]!
    if (complete !== null && words.complete !== null) {
      complete.coverage[row] = words.complete.coverage(key)
      complete.matched[row] = words.complete.matched(key)
    }
    const terms = words.matched(key)
    if (terms === 0) continue
    matched[row] = terms
    lexical[row] = words.score(key)
    coverage[row] = words.coverage(key)
    pairs[row] = words.pairs(key)
  }
  return { lexical, coverage, matched, pairs, ...(complete === null ? {} : { complete }) }
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

const noWords: WordScores = { score: () => 0, coverage: () => 0, matched: () => 0, pairs: () => 0, complete: null }

function withoutMatches(plan: ChannelPlan, facts: LexicalFacts | null): LexicalChannel {
  return {
    ...noWords,
    ...channelOf(noWords, [], plan),
    ranksOf: (keys) => keys.map(() => null),
    passages: () => [],
    facts,
  }
}

function whyNot({ text, policy }: QueryPlan): string {
  if (policy.depths.lexical === 0) return 'the policy does not use it'
  return text === '' ? 'the query has no text' : 'the text holds no word'
}
