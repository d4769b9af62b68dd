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

/** Whether the text is dates with a number, and nothing else: "1984", "06-17-2026", "September 11", "le 19 juin 2024". */
export function isBareDate(text: string, times: readonly TimeReading[], preferred: readonly string[] = []): boolean {
  if (times.length === 0 || !/\d/.test(text)) return false
  const words = wordsOf(text)
  const [grammar] = grammarsFor(words, preferred)
  const isSilent = (word: string) =>
    grammar?.articles.has(word) === true ||
    grammar?.relations.get(word)?.some(({ relation }) => relation === 'on') === true
  return words.every(({ word, from, to }) => times.some(({ at }) => at[0] <= from && to <= at[1]) || isSilent(word))
}

/** Whether the words around the times ask for what was, or for what is or will be; null if they do not say. */
export function tenseOf(
  text: string,
  times: readonly TimeReading[],
  preferred: readonly string[] = [],
): 'past' | 'coming' | null {
  const words = wordsOf(text)
  const others = words.filter(({ from, to }) => !times.some(({ at }) => at[0] <= from && to <= at[1]))
  const [grammar] = grammarsFor(words, preferred)
  const has = (list: ReadonlySet<string> | undefined) => others.some(({ word }) => list?.has(word) === true)
  return has(grammar?.past) ? 'past' : has(grammar?.coming) ? 'coming' : null
}
