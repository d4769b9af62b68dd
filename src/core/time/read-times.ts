/**
 * Finds the time expressions of a text in seven languages: dates, names of months, seasons and days, and times relative to now. Takes
 * linear time. A word that only looks like a date is left alone: a name counts only next to a day, a year or a preposition.
 */

import type { Meaning } from './languages/language.ts'
import { type Grammar, grammarsFor, type Relation } from './languages.ts'
import { type NumericDate, numericDateAt, quarterOf } from './numeric-dates.ts'
import { classesOf, type Found, matchAt, ordinalOf, yearOf } from './pattern.ts'
import { dateIn, type Now, namedPeriod, nowAt, type Period, periodOf } from './period.ts'
import { between, type DatedPeriod, related } from './relate-periods.ts'
import { type Word, wordsOf } from './words.ts'
import { instantOf, type OffsetAt } from './zone.ts'

export interface TimeReading {
  /** UTF-16 offsets [from, to) of the expression in the text. */
  readonly at: readonly [from: number, to: number]
  /** ms, half-open; null on an open side. */
  readonly from: number | null
  readonly before: number | null
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
export function readTimes(text: string, { now, offsetAt, preferred }: ReadingTime): readonly TimeReading[] {
  const words = wordsOf(text)
  const at = nowAt(now + offsetAt(now))
  const instant = (localMs: number | null, exact: boolean) => {
    if (localMs === null) return null
    return exact ? now + (localMs - at.localMs) : instantOf(localMs, offsetAt)
  }
  for (const grammar of grammarsFor(words, preferred)) {
    const found = readAll({ text, words, now: at, grammar })
    if (found.length > 0) return found.map(toReading)
  }
  return readAll({ text, words, now: at, grammar: null }).map(toReading)

  function toReading({ first, end, period }: Expression): TimeReading {
    const exact = period.exact === true
    return {
      at: [words[first]!.from, words[end - 1]!.to],
      from: instant(period.from, exact),
      before: instant(period.before, exact),
      guessed: period.guessed === true,
    }
  }
}

interface Context {
  readonly text: string
  readonly words: readonly Word[]
  readonly now: Now
  /** Null for a text of no known language: only dates in digits are read. */
  readonly grammar: Grammar | null
}

interface Expression {
  /** Indexes of words [first, end). */
  readonly first: number
  readonly end: number
  readonly period: Period
}

function readAll(context: Context): readonly Expression[] {
  const { words } = context
  const only = words.length === 1 ? yearOf(words[0]!) : undefined
  if (only !== undefined) return [{ first: 0, end: 1, period: dateIn(only, {})! }]
  const found: Expression[] = []
  for (let i = 0; i < words.length; ) {
    const here = longest([dateAt(context, i), relatedAt(context, i)])
    if (here !== null && here.period.from !== here.period.before) found.push(here)
    i = here === null ? i + 1 : here.end
  }
  return found
}

function longest(expressions: readonly (Expression | null)[]): Expression | null {
  let best: Expression | null = null
  for (const found of expressions) if (found !== null && (best === null || found.end > best.end)) best = found
  return best
}

/** A date that needs no preposition. */
function dateAt(context: Context, at: number): Expression | null {
  const { text, words, grammar, now } = context
  const word = words[at]!
  const numeric = numericDateAt(text, words, at, isDayFirst(grammar))
  let best = numeric === null ? null : fromNumeric(at, numeric)
  if (grammar === null) return best
  const meaning = grammar.vocabulary.get(word.word)
  const classes = classesOf(word, meaning)
  // Most words begin no pattern.
  if (classes.length === 0 && !grammar.patterns.has(word.word)) return best
  for (const beginning of [word.word, ...classes]) {
    for (const { pattern, meaning: means } of grammar.patterns.get(beginning) ?? []) {
      const match = matchAt(pattern, words, at, grammar.vocabulary)
      if (match === null || (best !== null && match.end <= best.end)) continue
      const period = periodOf(means, match.found, now)
      if (period !== null && isMeant(context, at, match.end, match.found, means))
        best = { first: at, end: match.end, period }
    }
  }
  return best
}

function fromNumeric(first: number, { end, period }: NumericDate): Expression {
  return { first, end, period }
}

/** In English, 3/11 may be 3 November or 11 March. */
function isDayFirst(grammar: Grammar | null): boolean {
  return grammar !== null && grammar.language.tag !== 'en'
}

/**
 * Whether the words of a match are written as a time: with their marks (été), and, where a name is an everyday word before a
 * number, not in the middle of other words ("may 5 people come").
 */
function isMeant({ text, words, grammar }: Context, at: number, end: number, found: Found, means: Meaning): boolean {
  const { marked, ambiguous, common, vocabulary } = grammar!
  // "Este mai": an abbreviation needs a day or a year.
  if (means.is === 'month' && !words.slice(at, end).some(({ word }) => vocabulary.get(word)?.month !== undefined))
    return false
  for (let i = at; i < end; i++) {
    const written = marked.get(words[i]!.word)
    if (written !== undefined && text.slice(words[i]!.from, words[i]!.to).toLowerCase().normalize('NFC') !== written)
      return false
  }
  const first = words[at]!
  if (means.is !== 'date' || found.year !== undefined || !ambiguous.has(first.word) || first.capital) return true
  const next = words[end]
  return next === undefined || !next.joined || common.has(next.word)
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
    const period = date === null ? null : related(relation, date.period)
    if (period === null) continue
    // "In" and "on" are not part of what was read.
    const first = relation === 'within' || relation === 'on' ? date!.first : at
    best = longest([best, { first, end: date!.end, period }])
  }
  for (const { first, second } of grammar.ranges.get(word) ?? []) {
    const start = matchAt(first, words, at, grammar.vocabulary)
    const from = start === null ? null : dateAfter(context, start.end, 'range')
    const middle = from === null || words[from.end]?.joined !== true ? null : joined(context, second, from.end)
    const to = middle === null ? null : dateAfter(context, middle, 'range')
    const period = to === null ? null : between(from!.dated, to.dated)
    if (period !== null) best = longest([best, { first: at, end: to!.end, period }])
  }
  return best
}

function joined({ words, grammar }: Context, pattern: Parameters<typeof matchAt>[0], at: number): number | null {
  return matchAt(pattern, words, at, grammar!.vocabulary)?.end ?? null
}

interface Dated extends Expression {
  readonly dated: DatedPeriod
}

/** The date or name that follows a preposition, after at most three words such as "the", "early" or "of". */
function dateAfter(context: Context, at: number, relation: Relation | 'range'): Dated | null {
  const { words, grammar } = context
  for (let i = at, skipped = 0; skipped <= 3 && words[i]?.joined === true; i++, skipped++) {
    const found = longest([nameAt(context, i, relation), dateAt(context, i)])
    if (found !== null) return { ...found, dated: { period: found.period, inYear: yearFree(context, found) } }
    if (!grammar!.articles.has(words[i]!.word)) return null
  }
  return null
}

/** For a date without a year: the same date in another year. */
function yearFree(
  { words, grammar }: Context,
  { first, end, period }: Expression,
): ((year: number) => Period | null) | null {
  if (period.guessed !== true) return null
  let found: Found = {}
  for (let i = first; i < end; i++) {
    const { word, number } = words[i]!
    const date = number ?? ordinalOf(word)
    const { month, shortMonth, season } = grammar!.vocabulary.get(word) ?? {}
    const name = month ?? shortMonth
    const quarter = quarterOf(words[i]!)
    found = {
      ...found,
      ...(name === undefined ? {} : { month: name }),
      ...(season === undefined ? {} : { season }),
      ...(quarter === null ? {} : { quarter }),
      ...(date === null ? {} : { date }),
    }
  }
  const { month, season, quarter } = found
  return month === undefined && season === undefined && quarter === undefined ? null : (year) => dateIn(year, found)
}

/** A month, weekday, season, quarter or year alone. */
function nameAt(context: Context, at: number, relation: Relation | 'range'): Expression | null {
  const { text, words, now, grammar } = context
  const word = words[at]!
  const { vocabulary, ambiguous, marked, common, language } = grammar!
  const { month, weekday, season } = vocabulary.get(word.word) ?? {}
  const next = words[at + 1]
  const nextIsJoined = next?.joined === true && text.slice(word.to, next.from) === ' '
  const year = yearOf(word)
  // Alone, 1T is an amount more often than a quarter.
  const quarter = word.word.startsWith('q') ? quarterOf(word) : null
  if (year !== undefined && relation !== 'on') {
    // "The 1980's".
    if (next?.joined === true && next.word === 's') return null
    // "In 2024 cases" counts something.
    const isFree =
      relation === 'range' ||
      !nextIsJoined ||
      common.has(next!.word) ||
      (next!.capital && language.capitalNouns !== true)
    return isFree ? { first: at, end: at + 1, period: dateIn(year, {})! } : null
  }
  if (weekday !== undefined && ambiguous.has(word.word)) {
    // The day names of Portuguese are also ordinals: "na segunda parte".
    if (next?.word !== weekdayEnding || relation === 'within') return null
    return { first: at, end: at + 2, period: namedPeriod({ weekday }, now)! }
  }
  if (ambiguous.has(word.word)) {
    if (!word.capital && relation !== 'within' && relation !== 'since' && relation !== 'range') return null
    // A name of several words: Spring Boot.
    if (word.capital && nextIsJoined && next!.capital) return null
  }
  const written = marked.get(word.word)
  if (written !== undefined && text.slice(word.from, word.to).toLowerCase().normalize('NFC') !== written) return null
  const found: Found | null =
    weekday !== undefined && relation !== 'within'
      ? { weekday }
      : relation === 'on'
        ? null
        : month !== undefined
          ? { month }
          : season !== undefined
            ? { season }
            : quarter !== null
              ? { quarter }
              : null
  const period = found === null ? null : namedPeriod(found, now)
  return period === null ? null : { first: at, end: at + 1, period }
}

const weekdayEnding = 'feira'
