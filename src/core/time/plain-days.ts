/** Days without a month, by the words around them: "on the 13th", "Friday the 13th", "Dentist Tuesday 10 am", "Friday: gym". */
import { clockNextTo } from './clock.ts'
import { type Context, type Expression, weekdayEnding } from './expression.ts'
import { ordinalOf } from './pattern.ts'
import { latestDayOfMonth, namedPeriod } from './period.ts'
import type { Word } from './words.ts'

/** A day that needs no preposition. */
export function plainDayAt(context: Context, at: number): Expression | null {
  const { words, grammar } = context
  const weekday = grammar!.vocabulary.get(words[at]!.word)?.weekday
  if (weekday === undefined) return isWholeText(context, at) ? dayOfMonthAt(context, at) : null
  if (grammar!.ambiguous.has(words[at]!.word) && words[at + 1]?.word !== weekdayEnding) return null
  for (let i = at + 1; i <= at + 2 && words[i]?.joined === true; i++) {
    const found = dayOfMonthAt(context, i, weekday)
    if (found !== null) return { ...found, first: at }
    if (!grammar!.articles.has(words[i]!.word)) break
  }
  return standsForDay(context, at)
    ? { first: at, end: at + 1, period: namedPeriod({ weekday }, context.now)!, weekday }
    : null
}

/**
 * "The 13th", "le 13", "am 13.": the latest such day, on `weekday` if one is given. A noun after it makes it something else: "the 13th floor".
 */
export function dayOfMonthAt({ text, words, now, grammar }: Context, at: number, weekday?: number): Expression | null {
  const { dayBefore, language } = grammar!
  const { word, number, to } = words[at]!
  const isBare = dayBefore.has(words[at - 1]?.word ?? '') || (weekday !== undefined && dayBefore.size > 0)
  const date = ordinalOf(word) ?? (isBare || (language.tag === 'de' && text[to] === '.') ? number : null)
  if (date === null || !isFree(grammar!, words[at + 1])) return null
  const day = { date, weekday }
  const period = latestDayOfMonth(day, now)
  return period === null ? null : { first: at, end: at + 1, period: { ...period, guessed: true }, dayOfMonth: day }
}

/** Whether no noun follows. */
function isFree(
  { common, asking, past, coming, articles }: NonNullable<Context['grammar']>,
  next: Word | undefined,
): boolean {
  if (next?.joined !== true) return true
  return !articles.has(next.word) && [common, asking, past, coming].some((words) => words.has(next.word))
}

function isWholeText({ words, grammar }: Context, at: number): boolean {
  return at === words.length - 1 && words.every(({ word }, i) => i === at || grammar!.articles.has(word))
}

/** A weekday with a time of day behind it, or at the beginning before a colon or dash. In the middle it may be part of a name or a value. */
function standsForDay({ text, words }: Context, at: number): boolean {
  const { from, to } = words[at]!
  const isInName = words[at]!.joined && words[at - 1]!.capital && at > 1
  return (
    (at === 0 && /^(?::| [-–—] )/u.test(text.slice(to, to + 3))) ||
    (!isInName && clockNextTo(text, [from, to]) !== null)
  )
}
