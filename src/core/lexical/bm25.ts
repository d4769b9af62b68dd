/**
 * Computes BM25 over posting lists, with the statistics of the scope (Robertson et al. 1994; idf as in Lucene,
 * ln(1 + (N − df + ½)/(df + ½)), or as in FTS5). Two additions: `lengthPrior` smooths short lengths, and the sum is divided by
 * the highest that any record could reach, so a score is absolute: 0..1. Deterministic: terms add up in query order.
 */

import { type KeySet, placesOf } from '../collections/key-set.ts'
import type { LexicalTuning } from '../model/policy.ts'
import { log } from '../number/log.ts'

export interface WeightedPostings {
  readonly weight: number
  /** Share of the weight that a match adds, 0..1; default 1. */
  readonly share?: number | undefined
  /** Keys ascending. */
  readonly keys: Uint32Array
  readonly counts: ArrayLike<number>
  readonly titleCounts: ArrayLike<number>
}

/** The records in which two query terms are adjacent. */
export interface PairPostings {
  /** Keys ascending. */
  readonly keys: Uint32Array
  readonly terms: readonly [first: number, second: number]
}

/** Statistics of the scope, or of the whole store under `fts5`. `scopeKeys` are the keys of the scope in both cases. */
export interface ScopeStatistics {
  readonly records: number
  /** Sum of lengths, an exact integer. */
  readonly tokens: number
  readonly lengths: Uint32Array
  /** The keys of the scope; null: every record. */
  readonly scopeKeys: KeySet | null
}

export interface LexicalScores {
  /** Records with at least one term. Their order has no meaning. */
  readonly keys: Uint32Array
  /** idf × weight of each term, in query order. */
  readonly idfs: readonly number[]
  /** Number of records of the scope that contain each term. */
  readonly frequencies: readonly number[]
  readonly scanned: number
  /** Over every record of the scope, where records without a match count 0. From exact integer sums [D3]. */
  readonly mean: number
  readonly deviation: number
  readonly best: number
  /** The limit of BM25 as every term occurs ever more often. An absolute score times this is the BM25. */
  readonly highest: number
  /** Absolute score of a key; 0 without a matching term. */
  score(key: number): number
  /** Share of the query's terms that a record contains, weighted by idf, 0..1. */
  coverage(key: number): number
  /** Number of query terms that a record contains. */
  matched(key: number): number
  /**
   * Mean over the query's pairs of the idf of the commoner word, as a share of ln(1 + N), which no idf reaches; 0..1. A pair
   * that the record does not contain counts 0.
   */
  pairs(key: number): number
}

export interface LexicalScorer {
  score(
    terms: readonly WeightedPostings[],
    pairs: readonly PairPostings[],
    statistics: ScopeStatistics,
    tuning: LexicalTuning,
  ): LexicalScores
}

/** Reuses its arrays: an answer is valid until the next call of `score`. */
export function createLexicalScorer(): LexicalScorer {
  let sums = new Float64Array(0)
  let matches = new Float64Array(0)
  let pairSums = new Float64Array(0)
  let touched = new Uint32Array(0)
  let touchedCount = 0
  let places = new Uint32Array(0)

  return {
    score(terms, pairs, scope, { k1, b, lengthPrior, titleBoost, statistics }) {
      const { lengths, scopeKeys, records } = scope
      for (let i = 0; i < touchedCount; i++) {
        sums[touched[i]!] = 0
        matches[touched[i]!] = 0
        pairSums[touched[i]!] = 0
      }
      if (sums.length < lengths.length) {
        sums = new Float64Array(lengths.length)
        matches = new Float64Array(lengths.length)
        pairSums = new Float64Array(lengths.length)
        touched = new Uint32Array(lengths.length)
      }
      const average = records === 0 ? 0 : scope.tokens / records
      const perToken = (k1 * b) / (average + lengthPrior || 1)
      const fixed = k1 * (1 - b) + perToken * lengthPrior
      let count = 0
      let scanned = 0
      const frequencies: number[] = []
      const unweightedIdfs: number[] = []
      const idfs: number[] = []
      for (const term of terms) {
        const { keys, counts, titleCounts, share = 1 } = term
        if (scopeKeys !== null && places.length < keys.length) places = new Uint32Array(keys.length * 2)
        const inside = scopeKeys === null ? keys.length : placesOf(keys, scopeKeys, places)
        const frequency = statistics === 'fts5' ? keys.length : inside
        const ownIdf = idfOf[statistics](records, frequency)
        const idf = term.weight * ownIdf
        const mark = oneTerm + Math.round(idf * (share < 1 ? correctedCoverage : 1) * coverageUnits)
        frequencies.push(frequency)
        unweightedIdfs.push(ownIdf)
        idfs.push(idf)
        scanned += keys.length
        for (let n = 0; n < inside; n++) {
          const i = scopeKeys === null ? n : places[n]!
          const key = keys[i]!
          const occurrences = counts[i]! + titleBoost * titleCounts[i]!
          const amount = (idf * share * occurrences * (k1 + 1)) / (occurrences + fixed + perToken * lengths[key]!)
          if (matches[key] === 0) touched[count++] = key
          sums[key] = sums[key]! + amount
          matches[key] = matches[key]! + mark
        }
      }
      touchedCount = count
      for (const pair of pairs) {
        const [first, second] = pair.terms
        const ownIdf = Math.min(unweightedIdfs[first]!, unweightedIdfs[second]!)
        // A record with the pair contains its words. So `matches` is 0 only outside the scope.
        for (const key of pair.keys) if (matches[key] !== 0) pairSums[key] = pairSums[key]! + ownIdf
      }
      const highestPairs = pairs.length * log(1 + records)
      let total = 0
      for (const idf of idfs) total += idf
      const highest = total * (k1 + 1)
      const everyTerm = idfs.reduce((sum, idf) => sum + Math.round(idf * coverageUnits), 0)
      return {
        ...spreadOf(touched.subarray(0, count), sums, highest, records),
        keys: touched.subarray(0, count),
        highest,
        idfs,
        frequencies,
        scanned,
        score: (key) => (highest === 0 ? 0 : sums[key]! / highest),
        coverage(key) {
          const all = matches[key]!
          return everyTerm === 0 ? 0 : (all - Math.floor(all / oneTerm) * oneTerm) / everyTerm
        },
        matched: (key) => Math.floor(matches[key]! / oneTerm),
        pairs: (key) => (highestPairs === 0 ? 0 : pairSums[key]! / highestPairs),
      }
    },
  }
}

const idfOf: Readonly<Record<LexicalTuning['statistics'], (records: number, frequency: number) => number>> = {
  scope: (records, frequency) => log(1 + (records - frequency + 0.5) / (frequency + 0.5)),
  // FTS5 keeps the idf of a term that most records contain just above 0.
  fts5: (records, frequency) => Math.max(1e-6, log((records - frequency + 0.5) / (frequency + 0.5))),
}

/** Rounds scores to 2^-16 before summing: sums of integers do not depend on their order. */
function spreadOf(keys: Uint32Array, sums: Float64Array, highest: number, records: number) {
  let sum = 0
  let squares = 0
  let best = 0
  for (const key of keys) {
    const score = sums[key]! / highest
    if (score > best) best = score
    const rounded = Math.round(score * fixedPoint)
    sum += rounded
    squares += rounded * rounded
  }
  const mean = records === 0 ? 0 : sum / records / fixedPoint
  const variance = records === 0 ? 0 : squares / records / (fixedPoint * fixedPoint) - mean * mean
  return { mean, deviation: Math.sqrt(Math.max(0, variance)), best }
}

const fixedPoint = 65_536

/**
 * The matches of a key are one integer: terms × 2^44 plus their idfs in units of 2^-20. So the scan needs no second array. The
 * integer is exact: 256 terms are at most 2^52, and the length of a query keeps the sum of the idfs below 2^24.
 */
const coverageUnits = 1_048_576

/** The share of its idf that a corrected word adds to the coverage, because the user may have meant another word. */
const correctedCoverage = 0.5
const oneTerm = 17_592_186_044_416
