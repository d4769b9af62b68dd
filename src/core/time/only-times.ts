/** Whether a text asks for a time and nothing else: "what did I do last week". */
import { commonWords, contractionRemnants, questionWords } from '../text/tokenise/stop-words.ts'
import { grammarsFor } from './languages.ts'
import { type TimeReading } from './read-times.ts'
import { wordsOf } from './words.ts'

/** True if the text has a time, and every word outside of its times is a stop word or a word such as "happened". */
export function asksOnlyForTimes(
  text: string,
  times: readonly TimeReading[],
  preferred: readonly string[] = [],
): boolean {
  if (times.length === 0) return false
  const words = wordsOf(text)
  const grammars = grammarsFor(words, preferred)
  const isCommon = (word: string) =>
    questionWords.has(word) ||
    contractionRemnants.has(word) ||
    commonWords.has(word) ||
    grammars.some(({ common, asking }) => common.has(word) || asking.has(word))
  let next = 0
  return words.every(({ word, from, to }) => {
    while (next < times.length && times[next]!.at[1] <= from) next++
    return (next < times.length && times[next]!.at[0] <= from && to <= times[next]!.at[1]) || isCommon(word)
  })
}
