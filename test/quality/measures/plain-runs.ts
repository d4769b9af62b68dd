/**
 * The textbook baselines, question by question, in plain code that shares nothing with the engine but its stemmer: BM25
 * (k1 1.2, b .75, statistics of the question's scope, stemmed words, Lucene's stop words left out), reciprocal rank fusion with the exact cosine (offset 60, 100 ranks
 * each), and convex sums of both, each scaled by the question's own best, at nine fixed weights of the words. SQLite's own
 * `bm25()` is in `fts5-run.ts`.
 */
import { stem } from '../../../src/core/text/tokenise/stem.ts'
import { type Dataset, dimensions } from '../datasets.ts'
import type { Score } from './metrics.ts'
import { scoreIds } from './score-all.ts'

export const plainRuns = ['BM25', 'RRF 60', 'convex, even'] as const
export type PlainRun = (typeof plainRuns)[number]

/** The weight of the words in a convex sum; the rest is the cosine's. */
export const convexShares = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const

export interface PlainScores {
  readonly runs: ReadonlyMap<PlainRun, readonly Score[]>
  /** By weight of the words; empty without vectors. */
  readonly convex: ReadonlyMap<number, readonly Score[]>
}

const k1 = 1.2
const b = 0.75
export const stopWords: ReadonlySet<string> = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
)

/** Without vectors only BM25 is run. */
export function runPlain(dataset: Dataset, rows: readonly number[]): PlainScores {
  const indexes = indexesOf(dataset)
  const runs = new Map<PlainRun, Score[]>()
  const convex = new Map<number, Score[]>()
  const add = <T>(to: Map<T, Score[]>, run: T, i: number, ranked: readonly number[]) => {
    const ids = ranked.map((document) => dataset.documents[document]?.id ?? '')
    const scores = to.get(run) ?? []
    to.set(run, scores)
    scores.push(scoreIds(dataset, i, ids))
  }
  for (const i of rows) {
    const question = dataset.questions[i]!
    const index = indexes.get(question.scope)
    if (index === undefined) throw new Error(`${dataset.name}: ${question.id} has no scope`)
    const lexical = bm25(index, question.text)
    const byWords = top(lexical, 100)
    add(runs, 'BM25', i, byWords)
    if (dataset.minilm === null) continue
    const cosines = cosinesOf(dataset.minilm, index.members, i)
    const byMeaning = top(cosines, 100)
    add(runs, 'RRF 60', i, top(fusedRanks([byWords, byMeaning]), 10))
    for (const share of convexShares) add(convex, share, i, top(convexSum(lexical, cosines, share), 10))
  }
  const even = convex.get(0.5)
  if (even !== undefined) runs.set('convex, even', even)
  return { runs, convex }
}

interface Index {
  readonly members: readonly number[]
  readonly postings: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly lengths: ReadonlyMap<number, number>
  readonly averageLength: number
}

function indexesOf({ documents }: Dataset): ReadonlyMap<string, Index> {
  const members = new Map<string, number[]>()
  for (const [i, { scope }] of documents.entries()) members.set(scope, [...(members.get(scope) ?? []), i])
  return new Map([...members].map(([scope, own]) => [scope, indexOf(documents, own)]))
}

function indexOf(documents: Dataset['documents'], members: readonly number[]): Index {
  const postings = new Map<string, Map<number, number>>()
  const lengths = new Map<number, number>()
  for (const i of members) {
    const { title, text } = documents[i]!
    const words = wordsOf(`${title} ${text}`)
    lengths.set(i, words.length)
    for (const word of words) {
      const posting = postings.get(word) ?? new Map<number, number>()
      posting.set(i, (posting.get(i) ?? 0) + 1)
      postings.set(word, posting)
    }
  }
  const total = [...lengths.values()].reduce((sum, length) => sum + length, 0)
  return { members, postings, lengths, averageLength: total / members.length }
}

/** Runs of Han letters as pairs: Chinese puts no spaces between words. */
function wordsOf(text: string): readonly string[] {
  const runs = text.toLowerCase().match(/\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? []
  return runs.flatMap((run) => {
    if (/^\p{Script=Han}/u.test(run)) return pairsOf([...run])
    return stopWords.has(run) ? [] : [stem(run)]
  })
}

function pairsOf(letters: readonly string[]): readonly string[] {
  return letters.length === 1 ? letters : letters.slice(1).map((letter, i) => `${letters[i]}${letter}`)
}

function bm25({ members, postings, lengths, averageLength }: Index, question: string): ReadonlyMap<number, number> {
  const scores = new Map<number, number>()
  for (const word of wordsOf(question)) {
    const posting = postings.get(word)
    if (posting === undefined) continue
    const idf = Math.log(1 + (members.length - posting.size + 0.5) / (posting.size + 0.5))
    for (const [i, times] of posting) {
      const saturation = times + k1 * (1 - b + (b * lengths.get(i)!) / averageLength)
      scores.set(i, (scores.get(i) ?? 0) + (idf * times * (k1 + 1)) / saturation)
    }
  }
  return scores
}

function cosinesOf(
  { documents, questions }: NonNullable<Dataset['minilm']>,
  members: readonly number[],
  question: number,
): ReadonlyMap<number, number> {
  const cosineOf = (i: number) => {
    let sum = 0
    for (let d = 0; d < dimensions; d++) sum += documents[i * dimensions + d]! * questions[question * dimensions + d]!
    return sum
  }
  return new Map(members.map((i) => [i, cosineOf(i)]))
}

function fusedRanks(rankings: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const scores = new Map<number, number>()
  for (const ranking of rankings) {
    for (const [rank, i] of ranking.entries()) scores.set(i, (scores.get(i) ?? 0) + 1 / (61 + rank))
  }
  return scores
}

function convexSum(lexical: ReadonlyMap<number, number>, cosines: ReadonlyMap<number, number>, share: number) {
  const bestWords = Math.max(1e-9, ...lexical.values())
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const cosine of cosines.values()) {
    low = Math.min(low, cosine)
    high = Math.max(high, cosine)
  }
  return new Map(
    [...cosines].map(([i, cosine]) => [
      i,
      ((1 - share) * (cosine - low)) / (high - low || 1) + (share * (lexical.get(i) ?? 0)) / bestWords,
    ]),
  )
}

/** Best first; ties go to the earlier document. */
function top(scores: ReadonlyMap<number, number>, most: number): readonly number[] {
  return [...scores]
    .sort(([i, x], [j, y]) => y - x || i - j)
    .slice(0, most)
    .map(([i]) => i)
}
