/**
 * BM25 over posting lists, by the statistics of the scope searched (Robertson et al. 1994; idf as in Lucene:
 * ln(1 + (N − df + ½)/(df + ½)), or as in FTS5), with two additions: `lengthPrior` smooths short lengths, and the sum is divided by
 * the best any record could reach, so that a score is absolute: 0..1. Deterministic: terms add up in query order.
 */

import { type KeySet, placesOf } from '../collections/key-set.ts'
import type { LexicalTuning } from '../model/policy.ts'
import { log } from '../number/log.ts'

export interface WeightedPostings {
  readonly weight: number
  /** Keys ascending. */
  readonly keys: Uint32Array
  readonly counts: ArrayLike<number>
  readonly titleCounts: ArrayLike<number>
}

/** The records in which two terms of the query stand side by side. */
export interface PairPostings {
  /** Keys ascending. */
  readonly keys: Uint32Array
  readonly terms: readonly [first: number, second: number]
}

/** Of the scope, or under `fts5` statistics of the whole store; `members` are the scope's either way. */
export interface ScopeStatistics {
  readonly records: number
  /** Sum of lengths, an exact integer. */
  readonly tokens: number
  readonly lengths: Uint32Array
  /** The keys of the scope; null: every record. */
  readonly members: KeySet | null
}

export interface LexicalScores {
  /** Records with at least one term, in no order that means anything. */
  readonly keys: Uint32Array
  /** IDF × weight of each term, in query order. */
  readonly idfs: readonly number[]
  /** Records of the scope that hold each term. */
  readonly frequencies: readonly number[]
  readonly scanned: number
  /** Over every record of the scope, those without a match counting 0; from exact integer sums [D3]. */
  readonly mean: number
  readonly deviation: number
  readonly best: number
  /** BM25 of a record that holds every term without end: an absolute score times this is BM25 itself. */
  readonly highest: number
  /** Absolute score of any key, 0 where no term matched. */
  score(key: number): number
  /** IDF-weighted share of the query's terms that a key holds, 0..1. */
  coverage(key: number): number
  /** Terms of the query that a key holds. */
  matched(key: number): number
  /**
   * Mean over the query's pairs, 0 for one the key does not hold, of the rarity of the commoner word of each: its IDF
   * as a share of ln(1 + N), which none reaches; 0..1.
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

/** Keeps its scratch arrays between queries; an answer is valid until the next one is asked for. */
export function createLexicalScorer(): LexicalScorer {
  let sums = new Float64Array(0)
  let held = new Float64Array(0)
  let bonds = new Float64Array(0)
  let touched = new Uint32Array(0)
  let touchedCount = 0
  let places = new Uint32Array(0)

  return {
    score(terms, pairs, given, { k1, b, lengthPrior, titleBoost, statistics }) {
      const { lengths, members, records } = given
      for (let i = 0; i < touchedCount; i++) {
        sums[touched[i]!] = 0
        held[touched[i]!] = 0
        bonds[touched[i]!] = 0
      }
      if (sums.length < lengths.length) {
        sums = new Float64Array(lengths.length)
        held = new Float64Array(lengths.length)
        bonds = new Float64Array(lengths.length)
        touched = new Uint32Array(lengths.length)
      }
      const average = records === 0 ? 0 : given.tokens / records
      const perToken = (k1 * b) / (average + lengthPrior || 1)
      const fixed = k1 * (1 - b) + perToken * lengthPrior
      let count = 0
      let scanned = 0
      const frequencies: number[] = []
      const rarities: number[] = []
      const idfs: number[] = []
      for (const term of terms) {
        const { keys, counts, titleCounts } = term
        if (members !== null && places.length < keys.length) places = new Uint32Array(keys.length * 2)
        const inside = members === null ? keys.length : placesOf(keys, members, places)
        const frequency = statistics === 'fts5' ? keys.length : inside
        const rarity = rarityOf[statistics](records, frequency)
        const idf = term.weight * rarity
        const mark = oneTerm + Math.round(idf * coverageUnits)
        frequencies.push(frequency)
        rarities.push(rarity)
        idfs.push(idf)
        scanned += keys.length
        for (let n = 0; n < inside; n++) {
          const i = members === null ? n : places[n]!
          const key = keys[i]!
          const occurrences = counts[i]! + titleBoost * titleCounts[i]!
          const amount = (idf * occurrences * (k1 + 1)) / (occurrences + fixed + perToken * lengths[key]!)
          if (held[key] === 0) touched[count++] = key
          sums[key] = sums[key]! + amount
          held[key] = held[key]! + mark
        }
      }
      touchedCount = count
      for (const pair of pairs) {
        const [first, second] = pair.terms
        const rarity = Math.min(rarities[first]!, rarities[second]!)
        // Whoever holds the pair holds its words, so that outside the scope nobody was touched.
        for (const key of pair.keys) if (held[key] !== 0) bonds[key] = bonds[key]! + rarity
      }
      const mostBound = pairs.length * log(1 + records)
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
          const all = held[key]!
          return everyTerm === 0 ? 0 : (all - Math.floor(all / oneTerm) * oneTerm) / everyTerm
        },
        matched: (key) => Math.floor(held[key]! / oneTerm),
        pairs: (key) => (mostBound === 0 ? 0 : bonds[key]! / mostBound),
      }
    },
  }
}

const rarityOf: Readonly<Record<LexicalTuning['statistics'], (records: number, frequency: number) => number>> = {
  scope: (records, frequency) => log(1 + (records - frequency + 0.5) / (frequency + 0.5)),
  // FTS5 keeps a term that most records hold just above nothing.
  fts5: (records, frequency) => Math.max(1e-6, log((records - frequency + 0.5) / (frequency + 0.5))),
}

/** Scores are rounded to 2^-16 before they are summed: sums of integers do not depend on their order. */
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
 * What a key holds is one integer: terms × 2^44 plus their IDFs in units of 2^-20. It costs the scan no second array,
 * and stays exact: 256 terms are 2^52 at most, and their IDFs stay below 2^24 by the length of a query.
 */
const coverageUnits = 1_048_576
const oneTerm = 17_592_186_044_416
