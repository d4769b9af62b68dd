/**
 * Computes BM25 over posting lists, with the statistics of the scope (Robertson et al. 1994; idf as in Lucene,
 * ln(1 + (N − df + ½)/(df + ½)), or as in FTS5). Two additions: `lengthPrior` smooths short lengths, and the sum is divided by
 * the highest that any record could reach, so a score is absolute: 0..1. Deterministic: terms add up in query order.
 */

import { type KeySet, placesOf } from '../collections/key-set.ts'
import type { LexicalTuning } from '../model/policy.ts'
import { log } from '../number/log.ts'
import {
  countsByPassage,
  createPassageSums,
  type PassagePostings,
  type PassageStatistics,
  type PassageTable,
} from './passage-scores.ts'

export interface WeightedPostings {
  readonly weight: number
  /** Share of the weight that a match adds, 0..1; default 1. */
  readonly share?: number | undefined
  /** Keys ascending. */
  readonly keys: Uint32Array
  readonly counts: ArrayLike<number>
  readonly titleCounts: ArrayLike<number>
  /** In which passages of long records the term is. */
  readonly passages?: PassagePostings | null | undefined
}

/** The records in which two query terms are adjacent. */
export interface PairPostings {
  /** Keys ascending. */
  readonly keys: Uint32Array
  readonly terms: readonly [first: number, second: number]
  readonly passages?: PassagePostings | null | undefined
}

/** Statistics of the scope, or of the whole store under `fts5`. `scopeKeys` are the keys of the scope in both cases. */
export interface ScopeStatistics {
  readonly records: number
  /** Sum of lengths, an exact integer. */
  readonly tokens: number
  readonly lengths: Uint32Array
  /** The keys of the scope; null: every record. */
  readonly scopeKeys: KeySet | null
  /** The passages of long records. Default: each record counts as a whole. */
  readonly passages?: (PassageTable & PassageStatistics) | null | undefined
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
  /** The passages of a long record with a term, the best first: 0 is what is before its body, 1 the first of the body. Empty for a short record. */
  passages(key: number, most: number): readonly number[]
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
  const ofPassages = createPassageSums()

  return {
    score(terms, pairs, scope, { k1, b, lengthPrior, titleBoost, statistics, passages: shares = wholeRecords }) {
      const { lengths, scopeKeys, records } = scope
      const table = scope.passages ?? null
      if (table !== null) ofPassages.begin(table, lengths.length)
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
      const perTokenOfPassage = (k1 * b) / ((table?.meanLength ?? 0) + lengthPrior || 1)
      const fixedOfPassage = k1 * (1 - b) + perTokenOfPassage * lengthPrior
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
        const amountOf = (occurrences: number, length: number) =>
          (idf * share * occurrences * (k1 + 1)) / (occurrences + fixed + perToken * length)
        const amountOfPassage = (occurrences: number, length: number) =>
          (idf * share * occurrences * (k1 + 1)) / (occurrences + fixedOfPassage + perTokenOfPassage * length)
        const restOf = (titleCount: number) =>
          titleCount === 0 ? 0 : shares.title * amountOfPassage(titleCount * (1 + titleBoost), table!.meanLength)
        for (let n = 0; n < inside; n++) {
          const i = scopeKeys === null ? n : places[n]!
          const key = keys[i]!
          const occurrences = counts[i]! + titleBoost * titleCounts[i]!
          if (matches[key] === 0) touched[count++] = key
          if (table !== null && (table.first[key] ?? 0) !== 0)
            ofPassages.addRecord(key, restOf(titleCounts[i]!), titleCounts[i]! > 0 ? mark : 0)
          sums[key] = sums[key]! + amountOf(occurrences, lengths[key]!)
          matches[key] = matches[key]! + mark
        }
        if (table !== null && term.passages)
          ofPassages.addTerm(term.passages, { scopeKeys, titleBoost, mark, amountOf: amountOfPassage, restOf })
      }
      touchedCount = count
      for (const pair of pairs) {
        const [first, second] = pair.terms
        const ownIdf = Math.min(unweightedIdfs[first]!, unweightedIdfs[second]!)
        // A record with the pair contains its words. So `matches` is 0 only outside the scope.
        for (const key of pair.keys) if (matches[key] !== 0) pairSums[key] = pairSums[key]! + ownIdf
        if (table !== null && pair.passages) ofPassages.addPair(pair.passages, ownIdf)
      }
      if (table !== null) countBestPassages(shares.rest, (key) => countsByPassage(table, table, key, lengths[key]!))
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
        passages: (key, most) => (table === null ? [] : ofPassages.ranked(key, most)),
      }
    },
  }

  /** Gives each record that counts by passages the numbers of its best passage, and a share of what the whole record adds to it. */
  function countBestPassages(rest: number, isByPassage: (key: number) => boolean): void {
    ofPassages.end()
    for (let i = 0; i < touchedCount; i++) {
      const key = touched[i]!
      if (!isByPassage(key)) continue
      const best = ofPassages.sum(key)
      sums[key] = best + rest * Math.max(0, sums[key]! - best)
      // A term that is only in paths and names has no passage.
      matches[key] = ofPassages.matches(key) || matches[key]!
      pairSums[key] = ofPassages.pairs(key)
    }
  }
}

const wholeRecords = { lengths: 0, most: 0, title: 1, rest: 1 }

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
