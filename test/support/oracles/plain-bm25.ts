/**
 * Computes BM25 like FTS5's auxiliary function bm25(), over all seven columns with weight 1 and the whole store, made
 * positive. A phrase is counted where its words follow one another in one column.
 */
import type { OracleRecord } from './oracle-record.ts'
import { stemsOf } from './plain-text.ts'

export const plainBm25Constants = { k1: 1.2, b: 0.75, leastIdf: 1e-6 }

/** Id → score of the records that hold a phrase. A repeated phrase counts twice, one without a word never. */
export function plainBm25(
  records: readonly OracleRecord[],
  phrases: readonly string[],
  { k1, b, leastIdf } = plainBm25Constants,
): ReadonlyMap<string, number> {
  const lengths = records.map(({ columns }) => columns.reduce((sum, words) => sum + words.length, 0))
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / records.length
  const scores = new Map<string, number>()
  for (const phrase of phrases) {
    const words = stemsOf(phrase)
    if (words.length === 0) continue
    const counts = records.map(({ columns }) => columns.reduce((sum, text) => sum + timesIn(text, words), 0))
    const holders = counts.filter((count) => count > 0).length
    const idf = Math.max(Math.log((records.length - holders + 0.5) / (holders + 0.5)), leastIdf)
    for (const [i, record] of records.entries()) {
      const count = counts[i]!
      if (count === 0) continue
      const saturation = count + k1 * (1 - b + (b * lengths[i]!) / averageLength)
      scores.set(record.id, (scores.get(record.id) ?? 0) + idf * ((count * (k1 + 1)) / saturation))
    }
  }
  return scores
}

/** Whether two scores are so close that the order of summing may have separated or joined them. */
export function areNearlyEqual(a: number, b: number): boolean {
  return a !== b && Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b))
}

function timesIn(text: readonly string[], words: readonly string[]): number {
  return text.filter((_, from) => words.every((word, i) => text[from + i] === word)).length
}
