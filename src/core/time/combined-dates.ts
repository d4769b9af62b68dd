/** Dates of two parts: a section of a period ("early November"), a name within a year or week ("October last year"), or next to a date. */
import { tuning } from '../model/tuning.ts'
import { anchoredAt, weekAround } from './anchored-dates.ts'
import { dateOf } from './calendar.ts'
import { nameAt, plainDateAt } from './dates-at.ts'
import { type Context, type Expression, longest } from './expression.ts'
import type { Relation, SectionPattern } from './languages.ts'
import { matchAt, ordinalOf } from './pattern.ts'
import { calendarUnit, days, feastIn, type Now, type Period, periodOf } from './period.ts'
import { plainDayAt } from './plain-days.ts'
import { sectionOf } from './sections.ts'

/** A date that needs no preposition; `relation`: of the preposition before it, if there is one. */
export function dateAt(context: Context, at: number, relation: Relation | 'range' | null = null): Expression | null {
  const { words, grammar } = context
  const plain = plainDateAt(context, at)
  if (grammar === null) return plain
  const { word } = words[at]!
  // Most words name no time.
  const isName = plain !== null || grammar.vocabulary.has(word) || grammar.feasts.has(word)
  const whole = isName ? longest([plain, nestedAt(context, at, relation, plain)]) : null
  const isNextTo = isName || grammar.weekend?.[0]!.words!.has(word) === true
  return longest([
    whole,
    plain === null ? plainDayAt(context, at) : null,
    isName ? feastWeekAt(context, at) : null,
    isNextTo ? anchoredAt(context, at, plain, nameOrDateAt) : null,
    sectionAt(context, at, relation),
  ])
}

/** "Christmas week". */
function feastWeekAt({ words, grammar, now }: Context, at: number): Expression | null {
  for (const { pattern, meaning } of grammar!.feasts.get(words[at]!.word) ?? []) {
    const match = matchAt(pattern, words, at, grammar!.vocabulary)
    const next = words[match?.end ?? -1]
    const { unit, isOne } = grammar!.vocabulary.get(next?.word ?? '') ?? {}
    if (match === null || next?.joined !== true || unit !== 'week' || isOne !== true) continue
    const period = weekAround(periodOf(meaning, {}, now)!)
    const inYear = (year: number) => (meaning.is === 'feast' ? weekAround(feastIn(year, meaning)) : null)
    if (period !== null) return { first: at, end: match.end + 1, period, inYear }
  }
  return null
}

/** A name, or a date that lies within no other and is next to no other. */
function nameOrDateAt(context: Context, at: number, relation: Relation | 'range'): Expression | null {
  const plain = plainDateAt(context, at)
  return longest([nameAt(context, at, relation), plain, nestedAt(context, at, relation, plain)])
}

/** A name or date, and the year or week in which it lies, in either order: "Tuesday last week", "last year in October". */
function nestedAt(
  context: Context,
  at: number,
  relation: Relation | 'range' | null,
  plain: Expression | null,
): Expression | null {
  const { words } = context
  const isOuter = plain?.unit === 'year' || plain?.unit === 'week'
  const inner = isOuter ? plain : longest([nameAt(context, at, relation ?? 'before'), plain])
  if (inner === null || (!isOuter && !isOpen(inner))) return null
  for (let i = inner.end, skipped = 0; skipped <= 2 && words[i]?.joined === true; i++, skipped++) {
    const other = isOuter
      ? longest([plainDateAt(context, i), canFollow(context, i, skipped) ? nameAt(context, i, 'range') : null])
      : plainDateAt(context, i)
    const period = other === null ? null : isOuter ? within(other, inner) : within(inner, other)
    if (period !== null) return { first: at, end: other!.end, period }
    if (!isConnector(context, i)) return null
  }
  return null
}

/** Without a preposition between them, only a weekday follows: "last week Tuesday", not "last year March on Rome". */
function canFollow({ words, grammar }: Context, at: number, skipped: number): boolean {
  return skipped > 0 || grammar!.vocabulary.get(words[at]!.word)?.weekday !== undefined
}

function isOpen({ inYear, weekday }: Expression): boolean {
  return inYear !== undefined || weekday !== undefined
}

function isConnector({ words, grammar }: Context, at: number): boolean {
  const { word } = words[at]!
  const isSilent = grammar!.relations.get(word)?.some(({ relation }) => relation === 'within' || relation === 'on')
  return isSilent === true || grammar!.articles.has(word)
}

function within(inner: Expression, { unit, period: { from } }: Expression): Period | null {
  if (from === null) return null
  if (unit === 'week' && inner.weekday !== undefined) return days(from / tuning.msPerDay + inner.weekday - 1, 1)
  if (unit !== 'year' || inner.inYear === undefined) return null
  const period = inner.inYear(dateOf(from / tuning.msPerDay).year)
  if (period === null) return null
  const { guessed: _, ...sure } = period
  return sure
}

/** A part of a period. In "the late June Carter" it is none: a capital follows. */
function sectionAt(context: Context, at: number, relation: Relation | 'range' | null): Expression | null {
  const { words, text, grammar, now } = context
  let best: Expression | null = null
  for (const { pattern, section } of sectionsFrom(context, at)) {
    const match = matchAt(pattern, words, at, grammar!.vocabulary)
    if (match === null || words[match.end]?.joined !== true) continue
    const isLinked = match.end - at > 1
    const before = isLinked ? 'within' : (relation ?? 'before')
    const whole = nameOrDateAt(context, match.end, before) ?? (isLinked ? unitAt(context, match.end) : null)
    if (whole === null || (best !== null && whole.end <= best.end)) continue
    const next = words[whole.end]
    const isName = next?.capital === true && text.slice(words[whole.end - 1]!.to, next.from) === ' '
    if (isName && relation === null && !isLinked && grammar!.language.capitalNouns !== true) continue
    const narrow = (period: Period | null | undefined) => (period ? sectionOf(section, period, match.found) : null)
    const inYear = whole.inYear === undefined ? undefined : (year: number) => narrow(whole.inYear!(year))
    const here = narrow(whole.period)
    const isAhead = here !== null && here.from! > now.localMs
    const earlier = isAhead ? (inYear?.(yearOf(here) - 1) ?? narrow(unitBefore(whole, now))) : null
    const period = earlier === null ? here : { ...earlier, guessed: true as const }
    if (period === null) continue
    best = {
      first: at,
      end: whole.end,
      period,
      ...(inYear === undefined ? {} : { inYear }),
      isLate: section === 'late',
    }
  }
  return best
}

/** The patterns that can begin at this word. */
function sectionsFrom({ words, grammar }: Context, at: number): readonly SectionPattern[] {
  const { sections, vocabulary, weekend } = grammar!
  const { word } = words[at]!
  const isOrdinal = vocabulary.get(word)?.quarter !== undefined || ordinalOf(word) !== null
  const patterns = [...(sections.get(word) ?? []), ...((isOrdinal && sections.get('QUARTER')) || [])]
  // "Fin de semana" is the weekend.
  const isWeekend = patterns.length > 0 && weekend !== null && matchAt(weekend, words, at, vocabulary) !== null
  return isWeekend ? [] : patterns
}

function yearOf({ from }: Period): number {
  return dateOf(Math.floor(from! / tuning.msPerDay)).year
}

/** Null for dates that name their unit: "last week". */
function unitBefore({ unit, period }: Expression, now: Now): Period | null {
  return unit !== undefined && period.guessed === true ? calendarUnit(unit, -1, now) : null
}

/** "The end of the month": of this one, or of the last if it has not begun. */
function unitAt({ words, grammar, now }: Context, at: number): Expression | null {
  const { unit, isOne } = grammar!.vocabulary.get(words[at]!.word) ?? {}
  const next = words[at + 1]
  const { partitive, articles, language } = grammar!
  // "The end of the week of silence".
  const isOf = (word: string) => partitive.has(word) || (language.tag !== 'en' && articles.has(word))
  const isOfAnother = next?.joined === true && isOf(next.word)
  const period = unit === undefined || isOne !== true || isOfAnother ? null : calendarUnit(unit, 0, now)
  return period === null ? null : { first: at, end: at + 1, period: { ...period, guessed: true }, unit: unit! }
}
