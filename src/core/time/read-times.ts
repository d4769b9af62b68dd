/**
 * Finds the time expressions of a text in seven languages: dates, names of months, seasons and days, and times relative to now. Takes
 * linear time. A word that only looks like a date is left alone: a name counts only next to a day, a year or a preposition.
 */

import { dateAt } from './combined-dates.ts'
import { afterArticles, type Context, type Expression, longest, nameAt } from './dates-at.ts'
import { grammarsFor, type Relation } from './languages.ts'
import { quarterOf } from './numeric-dates.ts'
import { matchAt, yearOf } from './pattern.ts'
import { dateIn, nowAt } from './period.ts'
import { between, related } from './relate-periods.ts'
import { beginsWithDigit, wordsOf } from './words.ts'
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
  // English writes 3/11 in both orders, so another language has to be the one of the text or of the store.
  const isSettled = (preferred ?? []).length > 0 && !preferred!.includes('en')
  const hasDigit = words.some((word) => beginsWithDigit(word.word) || quarterOf(word) !== null)
  for (const grammar of grammarsFor(words, preferred)) {
    // Most texts name no time.
    if (!hasDigit && !words.some(({ word }) => grammar.signals.has(word))) continue
    const found = readAll({ text, words, now: at, grammar, dayFirst: isSettled || grammar.language.tag !== 'en' })
    if (found.length > 0) return found.map(toReading)
  }
  return hasDigit ? readAll({ text, words, now: at, grammar: null, dayFirst: isSettled }).map(toReading) : []

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
    best = longest([best, { first, end: date!.end, period }])
  }
  for (const { first, second } of grammar.ranges.get(word) ?? []) {
    const start = matchAt(first, words, at, grammar.vocabulary)
    const from = start === null ? null : dateAfter(context, start.end, 'range')
    const middle = from === null || words[from.end]?.joined !== true ? null : joined(context, second, from.end)
    const to = middle === null ? null : dateAfter(context, middle, 'range')
    const period = to === null ? null : between(from!, to)
    if (period !== null) best = longest([best, { first: at, end: to!.end, period }])
  }
  return best
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
