/**
 * Finds the time expressions of a text in seven languages: dates, names of months, seasons and days, and times relative to now. Takes
 * linear time. A word that only looks like a date is left alone: a name counts only next to a day, a year or a preposition.
 */

import { tuning } from '../model/tuning.ts'
import { dateOf } from './calendar.ts'
import { clockNextTo } from './clock.ts'
import { dateAt } from './combined-dates.ts'
import { afterArticles, nameAt } from './dates-at.ts'
import { type Context, type Expression, longest } from './expression.ts'
import { grammarsFor, type Relation } from './languages.ts'
import { quarterOf } from './numeric-dates.ts'
import { matchAt, yearOf } from './pattern.ts'
import { dateIn, nextDayOfMonth, type Now, nowAt, type Period } from './period.ts'
import { between, related } from './relate-periods.ts'
import { repetitionsIn, type Rule } from './repetitions.ts'
import { nextDayAt } from './plain-days.ts'
import { beginsWithDigit, wordsOf } from './words.ts'
import { instantOf, type OffsetAt } from './zone.ts'

/** ms, half-open, as clocks show it; null on an open side. */
export type LocalSpan = readonly [from: number | null, before: number | null]

export interface TimeSpan {
  /** ms, half-open; null on an open side. */
  readonly from: number | null
  readonly before: number | null
  readonly local: LocalSpan
}

export interface TimeReading extends TimeSpan {
  /** UTF-16 offsets [from, to) of the expression in the text. */
  readonly at: readonly [from: number, to: number]
  /** Whether it counts in days or weeks from now. */
  readonly relative: boolean
  /** Whether the text names the first and the last day. */
  readonly ranged: boolean
  /** What it may mean, the most precise first: with its time of day, then the whole day. `next`: if the text leaves the year or week open. */
  readonly choices: readonly { readonly latest: TimeSpan; readonly next: TimeSpan | null }[]
  /** Whether the text leaves open which year or week is meant; then it is the latest that has begun. */
  readonly guessed: boolean
}

export interface ReadingTime {
  /** ms */
  readonly now: number
  readonly offsetAt: OffsetAt
  /** Tags of the languages in which texts are more likely than in others. */
  readonly preferred?: readonly string[] | undefined
}

/** The expressions in order of appearance, without overlaps: at each word the longest. */
export function readTimes(text: string, when: ReadingTime): readonly TimeReading[] {
  return read(text, when, false).times
}

export interface AllTimes {
  readonly times: readonly TimeReading[]
  /** Of times that repeat. Their words are not single times. */
  readonly rules: readonly Rule[]
  /** Whether a date without a year comes back every year: a birthday. */
  readonly yearly: boolean
}

/** Of a text that speaks of its own times. */
export function readAllTimes(text: string, when: ReadingTime): AllTimes {
  return read(text, when, true)
}

function read(text: string, when: ReadingTime, repeats: boolean): AllTimes {
  const { now, offsetAt, preferred } = when
  const words = wordsOf(text)
  const at = nowAt(now + offsetAt(now))
  const spanOf = ({ from, before, exact }: Period): TimeSpan => {
    const instant = (localMs: number | null) =>
      localMs === null ? null : exact === true ? now + (localMs - at.localMs) : instantOf(localMs, offsetAt)
    return { from: instant(from), before: instant(before), local: [from, before] }
  }
  // English writes 3/11 in both orders, so another language has to be the one of the text or of the store.
  const isSettled = (preferred ?? []).length > 0 && !preferred!.includes('en')
  const hasDigit = words.some((word) => beginsWithDigit(word.word) || quarterOf(word) !== null)
  for (const grammar of grammarsFor(words, preferred)) {
    const repeated = repeats ? repetitionsIn(words, grammar) : []
    // Most texts name no time.
    if (!hasDigit && repeated.length === 0 && !words.some(({ word }) => grammar.signals.has(word))) continue
    const dayFirst = isSettled || grammar.language.tag !== 'en'
    const found = readAll({ text, words, now: at, grammar, dayFirst }).filter(
      ({ first, end }) => !repeated.some((one) => one.first < end && first < one.end),
    )
    if (found.length + repeated.length === 0) continue
    const yearly = repeats && words.some(({ word }) => grammar.birthdays.has(word))
    return { times: found.map(toReading), rules: repeated.map(({ rule }) => rule), yearly }
  }
  const times = hasDigit ? readAll({ text, words, now: at, grammar: null, dayFirst: isSettled }).map(toReading) : []
  return { times, rules: [], yearly: false }

  function toReading(expression: Expression): TimeReading {
    const { first, end, period } = expression
    const written = [words[first]!.from, words[end - 1]!.to] as const
    const next = nextOf(expression, at)
    const clock = isDay(period) ? clockNextTo(text, written) : null
    const day = { latest: spanOf(period), next: next === null ? null : spanOf(next) }
    const withClock = ({ from }: Period): TimeSpan =>
      spanOf({ from: from! + clock!.fromMs, before: from! + clock!.beforeMs })
    const choices =
      clock === null ? [day] : [{ latest: withClock(period), next: next === null ? null : withClock(next) }, day]
    return {
      at: clock?.at ?? written,
      ...choices[0]!.latest,
      guessed: period.guessed === true,
      relative: period.relative === true,
      ranged: period.ranged === true,
      choices,
    }
  }
}

function isDay({ from, before, exact }: Period): boolean {
  return exact !== true && from !== null && before === from + tuning.msPerDay && from % tuning.msPerDay === 0
}

/** The first that has not begun, where the text leaves open which one is meant. */
function nextOf({ period, inYear, weekday, isWeekly, dayOfMonth: ofMonth }: Expression, now: Now): Period | null {
  const { from, before, guessed } = period
  if (guessed !== true || from === null || before === null) return null
  const week = 7 * tuning.msPerDay
  if (weekday !== undefined || isWeekly === true) return { from: from + week, before: before + week }
  if (ofMonth !== undefined) return nextDayOfMonth(ofMonth, now)
  const { year } = dateOf(now.today)
  for (let ahead = 0; inYear !== undefined && ahead <= 8; ahead++) {
    const later = inYear(year + ahead)
    if (later !== null && later.from! > now.localMs) return later
  }
  return null
}

function readAll(context: Context): readonly Expression[] {
  const { words } = context
  const only = words.length === 1 ? yearOf(words[0]!) : undefined
  if (only !== undefined) return [{ first: 0, end: 1, period: dateIn(only, {})! }]
  const found: Expression[] = []
  for (let i = 0; i < words.length; ) {
    const here = longest([dateAt(context, i), relatedAt(context, i), nextDayAt(context, i, found.at(-1))])
    if (here !== null && here.period.from !== here.period.before) found.push(here)
    i = here === null ? i + 1 : here.end
  }
  return found
}

/** A preposition with a date or a name, or a range of two. */
function relatedAt(context: Context, at: number): Expression | null {
  const { words, grammar } = context
  if (grammar === null) return null
  const { word } = words[at]!
  let best: Expression | null = null
  for (const { pattern, relation } of grammar.relations.get(word) ?? []) {
    const match = matchAt(pattern, words, at, grammar.vocabulary)
    const date = match === null ? null : dateAfter(context, match.end, relation)
    const period = date === null ? null : related(relation, date.period, date.isLate)
    if (period === null) continue
    const first = isSilent(relation) ? date!.first : at
    const { inYear, weekday, isWeekly, dayOfMonth: ofMonth } = date!
    const isSame = isSilent(relation) || period.ranged === true
    const details = !isSame
      ? {}
      : {
          ...(inYear && { inYear }),
          ...(weekday && { weekday }),
          ...(isWeekly && { isWeekly }),
          ...(ofMonth && { dayOfMonth: ofMonth }),
        }
    best = longest([best, { first, end: date!.end, period, ...details }])
  }
  for (const { first, second } of grammar.ranges.get(word) ?? []) {
    const start = matchAt(first, words, at, grammar.vocabulary)
    const from = start === null ? null : dateAfter(context, start.end, 'range')
    const middle = from === null || words[from.end]?.joined !== true ? null : joined(context, second, from.end)
    const to = middle === null ? null : dateAfter(context, middle, 'range')
    const isOfWeek =
      to !== null && to.weekday === undefined && grammar.vocabulary.get(words[to.first]!.word)?.weekday !== undefined
    const period = to === null ? null : between(isOfWeek ? weekOfLast(from!, to) : from!, to)
    if (period === null) continue
    const [begin, last] = [from!.inYear, to!.inYear]
    const inYear =
      begin === undefined || last === undefined
        ? {}
        : { inYear: (year: number) => betweenIn(begin(year), last(year), last) }
    best = longest([best, { first: at, end: to!.end, period, ...inYear }])
  }
  return best
}

/** "From Monday to Wednesday last week": both are of that week, or the first of the week before. */
function weekOfLast(first: Expression, { period }: Expression): Expression {
  const { from, before } = first.period
  if (first.weekday === undefined || from === null || before === null || period.from === null) return first
  const week = 7 * tuning.msPerDay
  const moved = Math.floor((period.from - from) / week) * week
  return { ...first, period: { from: from + moved, before: before + moved } }
}

function betweenIn(first: Period | null, last: Period | null, inYear: (year: number) => Period | null): Period | null {
  return first === null || last === null ? null : between({ period: first }, { period: last, inYear })
}

function joined({ words, grammar }: Context, pattern: Parameters<typeof matchAt>[0], at: number): number | null {
  return matchAt(pattern, words, at, grammar!.vocabulary)?.end ?? null
}

/** "In" and "on" are not part of what was read. */
function isSilent(relation: Relation): boolean {
  return relation === 'within' || relation === 'on' || relation === 'at'
}

function dateAfter(context: Context, at: number, relation: Relation | 'range'): Expression | null {
  return afterArticles(context, at, (i) => longest([nameAt(context, i, relation), dateAt(context, i, relation)]))
}
