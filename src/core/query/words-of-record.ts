/** Chooses the words of a record that say most of what it is about, for finding related records: often in it, in few others. Takes linear time. */
import type { StoredRecord } from '../model/record.ts'
import { log } from '../number/log.ts'
import { commonWords } from '../text/tokenise/stop-words.ts'
import { tokenise } from '../text/tokenise/tokenise.ts'

/** How many records of the store hold a word. */
export type RecordsWith = (word: string) => number

/**
 * At most 24 words, in the order of the text. The weight of a word is tf / (tf + 1) × ln(1 + records / those that hold it), as in BM25; a word
 * of the title counts twice. Only the first 512 distinct words are weighed.
 */
export function wordsOfRecord(
  { title, summary, body }: Pick<StoredRecord, 'title' | 'summary' | 'body'>,
  records: number,
  recordsWith: RecordsWith,
): readonly string[] {
  const counts = new Map<string, number>()
  for (const [text, count] of [
    [title, 2],
    [summary, 1],
    [body, 1],
  ] as const) {
    for (const { word } of tokenise(text ?? '')) {
      if (commonWords.has(word) || (counts.size === mostWeighed && !counts.has(word))) continue
      counts.set(word, (counts.get(word) ?? 0) + count)
    }
  }
  const weighed = Array.from(counts, ([word, count], at) => {
    const weight = (count / (count + 1)) * log(1 + records / Math.max(1, recordsWith(word)))
    return { word, at, weight }
  })
  const best = weighed.sort((a, b) => b.weight - a.weight || a.at - b.at).slice(0, mostWords)
  return best.sort((a, b) => a.at - b.at).map(({ word }) => word)
}

const mostWeighed = 512
const mostWords = 24
