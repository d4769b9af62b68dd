/**
 * Scores a record of several passages by its best one [S7]. What a query word adds is the larger of two amounts: BM25 of the passage with the title
 * before it, and a share for the record, because the word is in its title or somewhere else in it. So letters of other passages never lower a
 * score.
 */
import { holdsKey, type KeySet } from '../collections/key-set.ts'

/** The passages that hold a term. */
export interface PassagePostings {
  /** Numbers of passages, ascending. */
  readonly keys: Uint32Array
  readonly counts: ArrayLike<number>
  /** Occurrences in the title of the record. */
  readonly titleCounts: ArrayLike<number>
}

/** The passages of all records that have several. */
export interface PassageTable {
  /** By key of a record: the number of its first passage + 1; 0 for a record that is one passage. Keys beyond the end are such. */
  readonly first: Uint32Array
  /** By key of a record: how many numbers it has. The first is what is before its body: summary, instruction, command. */
  readonly counts: Uint16Array
  /** By number of a passage. Lengths in tokens, with those of the title; 0 without a word. */
  readonly keyOf: Uint32Array
  readonly lengths: Uint32Array
}

/** The passages of a scope. A record counts by its best passage if it has more than `most`, or if it is longer than `longerThan` tokens. */
export interface PassageStatistics {
  readonly most: number
  /** Beyond any length where nearly all records are long: among its like, a record of a few passages counts as a whole. */
  readonly longerThan: number
  /** As if each passage of these records were a record. */
  readonly meanLength: number
}

export function countsByPassage(
  { most, longerThan }: PassageStatistics,
  { first, counts }: Pick<PassageTable, 'first' | 'counts'>,
  key: number,
  length: number,
): boolean {
  // The first number is what is before the body.
  return (first[key] ?? 0) !== 0 && (counts[key]! - 1 > most || length > longerThan)
}

/** The sums of one question by passage. To be called in this order: `begin`, the terms with their records, the pairs, `end`. */
export interface PassageSums {
  begin(table: PassageTable, keys: number): void
  /** A record holds a term, which adds `rest` to each of its passages, and `mark` to the matches of each if it is in the title. */
  addRecord(key: number, rest: number, mark: number): void
  /** The passages with a term. `amountOf`: what so many occurrences in a text of this length add. `mark`: what the term adds to the matches. */
  addTerm(postings: PassagePostings, term: PassageTerm): void
  addPair(postings: PassagePostings, amount: number): void
  end(): void
  /** Of a record with several passages: the sum, matches and pairs of its best passage. */
  sum(key: number): number
  matches(key: number): number
  pairs(key: number): number
  /** The passages of a record with a term, the best first, as places in the record: 0 is what is before the body. */
  ranked(key: number, most: number): readonly number[]
}

export interface PassageTerm {
  readonly scopeKeys: KeySet | null
  readonly titleBoost: number
  readonly mark: number
  amountOf(occurrences: number, length: number): number
  /** What was given to `addRecord`. */
  restOf(titleCount: number): number
}

export function createPassageSums(): PassageSums {
  let table: PassageTable | null = null
  let sums = new Float64Array(0)
  let matches = new Float64Array(0)
  let pairSums = new Float64Array(0)
  let isTouched = new Uint8Array(0)
  let touched: number[] = []
  // By key.
  let bases = new Float64Array(0)
  let titleMatches = new Float64Array(0)
  let bests = new Uint32Array(0)
  let keysTouched: number[] = []

  return {
    begin(next, keys) {
      for (const unit of touched) sums[unit] = matches[unit] = pairSums[unit] = isTouched[unit] = 0
      for (const key of keysTouched) bases[key] = titleMatches[key] = bests[key] = 0
      touched = []
      keysTouched = []
      table = next
      if (sums.length < next.keyOf.length) {
        sums = new Float64Array(next.keyOf.length)
        matches = new Float64Array(next.keyOf.length)
        pairSums = new Float64Array(next.keyOf.length)
        isTouched = new Uint8Array(next.keyOf.length)
      }
      if (bases.length >= keys) return
      bases = new Float64Array(keys)
      titleMatches = new Float64Array(keys)
      bests = new Uint32Array(keys)
    },
    addRecord(key, rest, mark) {
      if (bases[key] === 0) keysTouched.push(key)
      bases[key] = bases[key]! + rest
      titleMatches[key] = titleMatches[key]! + mark
    },
    addTerm({ keys, counts, titleCounts }, { scopeKeys, titleBoost, mark, amountOf, restOf }) {
      const { keyOf, lengths } = table!
      for (let i = 0; i < keys.length; i++) {
        const unit = keys[i]!
        if (scopeKeys !== null && !holdsKey(scopeKeys, keyOf[unit]!)) continue
        const titleCount = titleCounts[i]!
        const more = amountOf(counts[i]! + titleCount * (1 + titleBoost), lengths[unit]!) - restOf(titleCount)
        if (isTouched[unit] === 0) {
          isTouched[unit] = 1
          touched.push(unit)
        }
        // In the title it counts for every passage.
        if (titleCount === 0) matches[unit] = matches[unit]! + mark
        if (more > 0) sums[unit] = sums[unit]! + more
      }
    },
    addPair({ keys }, amount) {
      for (const unit of keys) if (isTouched[unit] === 1) pairSums[unit] = pairSums[unit]! + amount
    },
    end() {
      const { keyOf } = table!
      for (const unit of touched) {
        const key = keyOf[unit]!
        const best = bests[key]! - 1
        if (best === -1 || isBefore(unit, best)) bests[key] = unit + 1
      }
    },
    sum: (key) => bases[key]! + (bests[key] === 0 ? 0 : sums[bests[key]! - 1]!),
    matches: (key) => titleMatches[key]! + (bests[key] === 0 ? 0 : matches[bests[key]! - 1]!),
    pairs: (key) => (bests[key] === 0 ? 0 : pairSums[bests[key]! - 1]!),
    ranked(key, most) {
      const first = (table?.first[key] ?? 0) - 1
      if (table === null || first === -1 || bests[key] === 0) return []
      if (most === 1) return [bests[key]! - 1 - first]
      const units: number[] = []
      for (let unit = first; unit < first + table.counts[key]!; unit++) if (isTouched[unit] === 1) units.push(unit)
      return units
        .sort((a, b) => (isBefore(a, b) ? -1 : 1))
        .slice(0, most)
        .map((unit) => unit - first)
    },
  }

  function isBefore(some: number, other: number): boolean {
    const by = sums[some]! - sums[other]! || pairSums[some]! - pairSums[other]!
    return by > 0 || (by === 0 && some < other)
  }
}
