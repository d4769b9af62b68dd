/**
 * Decides whether two candidates are near-duplicates. The texts are compared only if the query scores differ little, so most
 * pairs cost a few subtractions.
 */
import type { Facts } from '../model/facts.ts'
import { contentFields } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'
import { isAlike, type LetterPairs, letterPairs } from '../similarity/letter-pairs.ts'
import { isNearDuplicate, type TextSignature, textSignature } from '../similarity/near-duplicate.ts'

/** Whether the texts of two rows are near-duplicates. Their records must have been read. */
export type NearCheck = (kept: number, row: number) => boolean

/** Computes each signature once. */
export function createNearCheck(facts: Facts): NearCheck {
  const textOf = cachedByRow<string>((row) => textOfRow(facts, row))
  const pairsOf = cachedByRow<LetterPairs>((row) => letterPairs(textOf(row)))
  const signatureOf = cachedByRow<TextSignature>((row) => textSignature(textOf(row)))
  return (kept, row) =>
    isSameTier(facts, kept, row) &&
    isAlikeToQuery(facts, kept, row) &&
    isAlikeInLength(textOf(kept), textOf(row)) &&
    isAlike(pairsOf(kept), pairsOf(row), tuning.nearLetters) &&
    isNearDuplicate(signatureOf(kept), signatureOf(row))
}

/** The compared text of a row that was read. */
export function textOfRow({ records }: Facts, row: number): string {
  const record = records.get(row)
  return contentFields
    .map((field) => record?.[field] ?? '')
    .join('\n')
    .trim()
}

/** Caches the value of each row. */
export function cachedByRow<T>(make: (row: number) => T): (row: number) => T {
  const values = new Map<number, T>()
  return (row) => {
    const cached = values.get(row)
    if (cached !== undefined) return cached
    const value = make(row)
    values.set(row, value)
    return value
  }
}

function isSameTier({ records }: Facts, a: number, b: number): boolean {
  return (records.get(a)?.authorityTier ?? null) === (records.get(b)?.authorityTier ?? null)
}

function isAlikeToQuery({ candidates: { lexical, cosineLow } }: Facts, a: number, b: number): boolean {
  const [words, otherWords] = [lexical[a]!, lexical[b]!]
  if (Math.abs(words - otherWords) > tuning.nearLexical * Math.max(words, otherWords)) return false
  // NaN for a record without a vector: then only the words decide.
  return !(Math.abs(cosineLow[a]! - cosineLow[b]!) > tuning.nearCosine)
}

function isAlikeInLength(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= tuning.nearLength * Math.max(a.length, b.length)
}
