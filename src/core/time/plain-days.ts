/** Days without a month, by the words around them: "on the 13th", "Friday the 13th", "Dentist Tuesday 10 am", "Friday: gym". */
import { clockNextTo } from './clock.ts'
import { type Context, type Expression, weekdayEnding } from './expression.ts'
import { ordinalOf } from './pattern.ts'
import { latestDayOfMonth, namedPeriod } from './period.ts'
import type { Word } from './words.ts'

/** A day that needs no preposition. */
export function plainDayAt(context: Context, at: number): Expression | null {
  const { words, grammar } = context
  const { weekday = abbreviatedAt(context, at) } = grammar!.vocabulary.get(words[at]!.word) ?? {}
  if (weekday === undefined) return isWholeText(context, at) ? dayOfMonthAt(context, at) : null
  const isAmbiguous = grammar!.language.tag === 'pt' && grammar!.ambiguous.has(words[at]!.word)
  if (isAmbiguous && words[at + 1]?.word !== weekdayEnding) return null
  for (let i = at + 1; i <= at + 2 && words[i]?.joined === true; i++) {
    const found = dayOfMonthAt(context, i, weekday)
    if (found !== null) return { ...found, first: at }
    if (!grammar!.articles.has(words[i]!.word)) break
  }
  return standsForDay(context, at) || endsSentence(context, at)
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
  if (next?.joined !== true || ordinalOf(next.word) !== null) return true
  return !articles.has(next.word) && [common, asking, past, coming].some((words) => words.has(next.word))
}

/** "On the 1st and the 15th": the second day of a list. */
export function nextDayAt(context: Context, at: number, before: Expression | undefined): Expression | null {
  const { words, grammar } = context
  if (before?.dayOfMonth === undefined || grammar === null || at - before.end > 2) return null
  const between = words.slice(before.end, at + 1).every(({ joined }) => joined)
  const isList = words.slice(before.end, at).every(({ word }) => grammar.and.has(word) || grammar.articles.has(word))
  return between && isList ? dayOfMonthAt(context, at) : null
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

/** "Lunch with Ana Friday": at the end of a sentence, behind no word that makes it a name. */
function endsSentence({ text, words, grammar }: Context, at: number): boolean {
  const { to, joined } = words[at]!
  if (!joined || !/^\s*(?:$|[.!?;)\n])/.test(text.slice(to, to + 3))) return false
  const { common, articles, beforeNames, vocabulary } = grammar!
  const { word: before, capital } = words[at - 1]!
  const isInName = capital && at > 1 && !common.has(words[at - 2]!.word)
  // "The first Monday", "moves it to Friday".
  const isValue = common.has(before) || articles.has(before) || vocabulary.get(before)?.quarter !== undefined
  return !isInName && !isValue && ordinalOf(before) === null && !beforeNames.has(before)
}

/** "Tue 10:00", "Lunch with Ana Fri". */
function abbreviatedAt(context: Context, at: number): number | undefined {
  const { text, words, grammar } = context
  const { word, from, to, capital } = words[at]!
  const weekday = grammar!.vocabulary.get(word)?.shortWeekday
  const isClear = word.length > 2 && !grammar!.ambiguous.has(word)
  const isAlone = isClear && capital && endsSentence(context, at)
  return weekday !== undefined && (isAlone || ((capital || isClear) && clockNextTo(text, [from, to]) !== null))
    ? weekday
    : undefined
}
