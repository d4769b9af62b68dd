/**
 * Whether two candidates say the same in nearly the same words. The texts are compared only where the query tells them
 * apart as little as it would near-duplicates: most pairs cost a few subtractions.
 */
import type { Facts } from '../model/facts.ts'
import { contentFields } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'
import { type LetterPairs, letterPairs, pairDistance } from '../similarity/letter-pairs.ts'
import { isNearDuplicate, type TextSignature, textSignature } from '../similarity/near-duplicate.ts'

/** Compares rows whose records have been read; signatures are made once each. */
export function createNearCheck(facts: Facts): (kept: number, row: number) => boolean {
  const textOf = once<string>((row) => {
    const record = facts.records.get(row)
    return contentFields
      .map((field) => record?.[field] ?? '')
      .join('\n')
      .trim()
  })
  const pairsOf = once<LetterPairs>((row) => letterPairs(textOf(row)))
  const signatureOf = once<TextSignature>((row) => textSignature(textOf(row)))
  return (kept, row) =>
    isSameTier(facts, kept, row) &&
    isAlikeToQuery(facts, kept, row) &&
    isAlikeInLength(textOf(kept), textOf(row)) &&
    pairDistance(pairsOf(kept), pairsOf(row)) <= tuning.nearLetters &&
    isNearDuplicate(signatureOf(kept), signatureOf(row))
}

/** Makes what is asked of a row when it is first asked. */
function once<T>(make: (row: number) => T): (row: number) => T {
  const made = new Map<number, T>()
  return (row) => {
    const known = made.get(row)
    if (known !== undefined) return known
    const value = make(row)
    made.set(row, value)
    return value
  }
}

function isSameTier({ records }: Facts, a: number, b: number): boolean {
  return (records.get(a)?.authorityTier ?? null) === (records.get(b)?.authorityTier ?? null)
}

function isAlikeToQuery({ candidates: { lexical, cosineLow } }: Facts, a: number, b: number): boolean {
  const [words, otherWords] = [lexical[a]!, lexical[b]!]
  if (Math.abs(words - otherWords) > tuning.nearLexical * Math.max(words, otherWords)) return false
  // NaN for a record without a vector: then words alone decide.
  return !(Math.abs(cosineLow[a]! - cosineLow[b]!) > tuning.nearCosine)
}

function isAlikeInLength(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= tuning.nearLength * Math.max(a.length, b.length)
}
