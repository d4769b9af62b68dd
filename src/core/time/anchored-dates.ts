/** Times next to another date: "the Monday before 24 July", "the weekend after Christmas". */
import { tuning } from '../model/tuning.ts'
import { dateOf, dayOf, weekdayOf } from './calendar.ts'
import { afterArticles, nameAt } from './dates-at.ts'
import { type Context, type Expression, longest } from './expression.ts'
import type { Unit } from './languages/language.ts'
import type { Relation } from './languages.ts'
import { matchAt } from './pattern.ts'
import { days, type Period } from './period.ts'

type Side = 'before' | 'after'
type DateAt = (context: Context, at: number, side: Side) => Expression | null

/** What is next to the date, and the index of the first word after its name. */
interface Named {
  readonly end: number
  readonly weekday?: number
  readonly unit?: Unit
}

/** `plain`: the date of one pattern at this place. `dateAt`: reads the other date. */
export function anchoredAt(context: Context, at: number, plain: Expression | null, dateAt: DateAt): Expression | null {
  const { words, grammar } = context
  const named = namedAt(context, at, plain)
  if (named === null || words[named.end]?.joined !== true) return null
  let best: Expression | null = null
  for (const { pattern, relation } of grammar!.relations.get(words[named.end]!.word) ?? []) {
    if (!isSide(relation)) continue
    const match = matchAt(pattern, words, named.end, grammar!.vocabulary)
    const date = match === null ? null : afterArticles(context, match.end, (i) => dateAt(context, i, relation))
    const period = date === null ? null : nextTo(named, relation, date.period)
    if (period !== null) best = longest([best, { first: at, end: date!.end, period }])
  }
  return best ?? (named.unit === 'week' ? weekOfDay(context, at, named.end, dateAt) : null)
}

/** "The week of 3 May", "the week of Christmas". */
function weekOfDay(context: Context, at: number, end: number, dateAt: DateAt): Expression | null {
  const { words, grammar } = context
  const date =
    grammar!.language.weekOf === words[end]!.word
      ? afterArticles(context, end + 1, (i) => dateAt(context, i, 'before'))
      : null
  if (date === null || date.unit !== undefined || date.weekday !== undefined) return null
  const period = weekAround(date.period)
  return period === null ? null : { first: at, end: date.end, period }
}

/** The week of a day or a feast. */
export function weekAround({ from, before, ...period }: Period): Period | null {
  if (from === null || before === null) return null
  const length = (before - from) / tuning.msPerDay
  if (period.ranged === true ? length !== 1 : length > longestInWeek) return null
  const day = from / tuning.msPerDay
  return { ...period, ...days(day - weekdayOf(day) + 1, 7) }
}

/** Days of a feast. */
const longestInWeek = 3

function isSide(relation: Relation): relation is Side {
  return relation === 'before' || relation === 'after'
}

/** A weekday, "week" and the like in the singular, or "last week": "the weeks before Christmas" may be any number. */
function namedAt(context: Context, at: number, plain: Expression | null): Named | null {
  const { vocabulary, weekend } = context.grammar!
  if (plain?.unit === 'week' || plain?.unit === 'weekend') return { end: plain.end, unit: plain.unit }
  const match = weekend === null ? null : matchAt(weekend, context.words, at, vocabulary)
  if (match !== null) return { end: match.end, unit: 'weekend' }
  const { unit, isOne } = vocabulary.get(context.words[at]!.word) ?? {}
  if (unit !== undefined) return isOne === true ? { end: at + 1, unit } : null
  const name = nameAt(context, at, 'on')
  return name?.weekday === undefined ? null : { end: name.end, weekday: name.weekday }
}

/** Null next to an open period, and for units shorter than a day. */
function nextTo({ weekday, unit }: Named, side: Side, { from, before, guessed }: Period): Period | null {
  if (from === null || before === null) return null
  const edge = (side === 'before' ? from : before) / tuning.msPerDay
  if (!Number.isInteger(edge)) return null
  const found = weekday === undefined ? unitNextTo(unit!, side, edge) : days(weekdayNextTo(weekday, side, edge), 1)
  return found === null ? null : { ...found, ...(guessed === true ? { guessed } : {}) }
}

/** `edge`: the first day of the date, or the first after it. */
function unitNextTo(unit: Unit, side: Side, edge: number): Period | null {
  const { year, month, date } = dateOf(edge)
  const step = side === 'before' ? -1 : 1
  switch (unit) {
    case 'day':
      return upTo(edge, edge + step)
    case 'week':
      return upTo(edge, edge + 7 * step)
    case 'weekend':
      return days(side === 'before' ? weekdayNextTo(6, side, edge - 1) : weekdayNextTo(6, side, edge), 2)
    case 'month':
      return upTo(edge, dayOf(year, month + step, date))
    case 'year':
      return upTo(edge, dayOf(year + step, month, date))
    default:
      return null
  }
}

function upTo(edge: number, other: number): Period {
  return days(Math.min(edge, other), Math.abs(other - edge))
}

function weekdayNextTo(weekday: number, side: Side, edge: number): number {
  return side === 'before'
    ? edge - 1 - ((weekdayOf(edge - 1) - weekday + 7) % 7)
    : edge + ((weekday - weekdayOf(edge) + 7) % 7)
}
