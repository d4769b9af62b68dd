/**
 * Says what the statistics of a scope would be without records that agree with the best hit. A copy of an answer makes its words common and
 * its meaning ordinary; counted as if it were not there, it cannot lower the evidence [G7].
 */
import type { Facts, LexicalFacts } from '../model/facts.ts'
import { proseOf } from '../model/record.ts'
import { log } from '../number/log.ts'
import { tokenise } from '../text/tokenise/tokenise.ts'

/** What evidence is computed from. */
export interface Measured {
  readonly coverage: number
  readonly matched: number
  readonly meanLength: number
  readonly records: number
  /** Mean cosine and number of the records with vectors; null without vectors. */
  readonly background: { readonly mean: number; readonly records: number } | null
}

/** As they are. */
export function measuredOf({ candidates, lexical, scopeRecords, vector }: Facts, row: number): Measured {
  return {
    coverage: candidates.coverage[row]!,
    matched: candidates.matched[row]!,
    meanLength: lexical?.meanLength ?? 0,
    records: scopeRecords,
    background: vector,
  }
}

/** Without one, two … of the rows of `next` that agree with it. */
export function* withoutAgreeing(facts: Facts, row: number, next: readonly number[]): Generator<Measured> {
  const { lexical, records, scopeRecords, vector } = facts
  const agreeing = agreeingWith(facts, row, next)
  if (agreeing.length === 0) return
  const own = measuredOf(facts, row)
  const terms = lexical === null ? null : termsOf(lexical, own)
  if (lexical !== null && own.matched > 0 && terms === null) return
  const record = records.get(row)
  const length = record === undefined ? 0 : tokenise(proseOf(record)).length
  let cosines = 0
  for (const [i, other] of agreeing.entries()) {
    const gone = i + 1
    const left = scopeRecords - gone
    // Then those that agree do not hold the same words.
    if (terms?.frequencies.some((frequency, term) => terms.isMatched[term] && frequency < gone)) return
    cosines += other
    const isWithVectors = vector !== null && vector.records > gone
    yield {
      coverage: terms === null ? own.coverage : coverageOf(terms, left, gone),
      matched: own.matched,
      meanLength: left === 0 ? 0 : Math.max(1, (own.meanLength * scopeRecords - length * gone) / left),
      records: left,
      background: isWithVectors
        ? { mean: (vector.mean * vector.records - cosines) / (vector.records - gone), records: vector.records - gone }
        : vector,
    }
  }
}

/** The cosines of the rows that hold the same words of the question and are near: by meaning, or without vectors by their scores of words. */
function agreeingWith(
  { candidates, duplicates, vector }: Facts,
  row: number,
  next: readonly number[],
): readonly number[] {
  const { coverage, matched, cosineLow, lexical } = candidates
  const copies = new Set(duplicates.get(row) ?? [])
  const isNear = (other: number) =>
    vector === null
      ? matched[row]! > 1 && Math.abs(lexical[other]! - lexical[row]!) <= (1 - leastWords) * lexical[row]!
      : cosineLow[other]! >= leastCosine * cosineLow[row]!
  const found: number[] = []
  for (const other of next) {
    if (coverage[other] !== coverage[row] || matched[other] !== matched[row]) continue
    if (copies.has(other)) found.push(cosineLow[row]!)
    else if (isNear(other)) found.push(cosineLow[other]!)
  }
  const cosines = found.map((cosine) => (Number.isNaN(cosine) ? 0 : cosine))
  return cosines.sort((a, b) => b - a).slice(0, mostAgreeing)
}

/** Shares of the best hit's cosine and of its score by words. */
const leastCosine = 0.8
const leastWords = 0.95
const mostAgreeing = 64

interface Terms {
  readonly weights: readonly number[]
  readonly frequencies: readonly number[]
  readonly isMatched: readonly boolean[]
}

/** Which terms the record has: those of which the weights add up to its coverage. Null if that does not say it. */
function termsOf({ terms, idfs = [] }: LexicalFacts, { coverage, matched }: Measured): Terms | null {
  if (terms === undefined) return null
  const all = idfs.reduce((sum, idf) => sum + idf, 0)
  const isMatched = idfs.map(() => false)
  let steps = 0
  const found = (from: number, left: number, sum: number): boolean => {
    if (left === 0) return Math.abs(sum - coverage * all) < tolerance * (1 + all)
    for (let i = from; i <= idfs.length - left && ++steps < mostSteps; i++) {
      if (terms.frequencies[i]! < 2) continue
      isMatched[i] = true
      if (found(i + 1, left - 1, sum + idfs[i]!)) return true
      isMatched[i] = false
    }
    return false
  }
  return found(0, matched, 0) ? { ...terms, isMatched } : null
}

/** Weights are rounded to 2^-20 each. */
const tolerance = 4e-6
const mostSteps = 5_000

function coverageOf({ weights, frequencies, isMatched }: Terms, records: number, gone: number): number {
  let [held, all] = [0, 0]
  for (const [i, weight] of weights.entries()) {
    const frequency = frequencies[i]! - (isMatched[i] ? gone : 0)
    const idf = weight * log(1 + (records - frequency + 0.5) / (frequency + 0.5))
    all += idf
    if (isMatched[i]) held += idf
  }
  return all === 0 ? 0 : held / all
}
