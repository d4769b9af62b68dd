/** Computes the period that a match means: from its words and the local date of now. */
import { tuning } from '../model/tuning.ts'
import { dateOf, dayOf, daysIn, easterOf, weekdayOf } from './calendar.ts'
import type { Feast, Meaning, PartOfDay, Unit } from './languages/language.ts'
import type { Found } from './pattern.ts'

/** Half-open, in local ms, or null on an open side. `exact` counts from now as an instant, so it is not moved by clock changes. */
export interface Period {
  readonly from: number | null
  readonly before: number | null
  readonly exact?: true
  /** The text leaves open which year, week or side of now is meant; the latest that has begun was taken. */
  readonly guessed?: true
  /** Counted in days or weeks from now: yesterday, last Friday. */
  readonly relative?: true
  /** The text names the first and the last day. */
  readonly ranged?: true
}

type Bounded = Period & { readonly from: number; readonly before: number }

const { msPerDay } = tuning
const hourMs = 3_600_000

/** The local time of now. */
export interface Now {
  readonly localMs: number
  readonly today: number
}

export function nowAt(localMs: number): Now {
  return { localMs, today: Math.floor(localMs / msPerDay) }
}

/** Null if the words name no real time: 31 February, "last day". */
export function periodOf(meaning: Meaning, found: Found, now: Now): Period | null {
  const period = periodMeant(meaning, found, now)
  return period === null || !fromNow.has(meaning.is) ? period : { ...period, relative: true }
}

const fromNow: ReadonlySet<Meaning['is']> = new Set(['day', 'part', 'unit', 'weekday', 'ago', 'lastUnits', 'nextUnits'])

function periodMeant(meaning: Meaning, found: Found, now: Now): Period | null {
  switch (meaning.is) {
    case 'day':
      return days(now.today + meaning.shift, 1)
    case 'part':
      return partOfDay(meaning.part ?? found.part!, now.today + meaning.shift)
    case 'unit':
      return found.unit === 'hour' && meaning.shift === -1
        ? rolling('hour', -1, now)
        : calendarUnit(meaning.unit ?? found.unit!, meaning.shift, now)
    case 'latestWeekend':
      return { ...calendarUnit('weekend', weekdayOf(now.today) < 6 ? -1 : 0, now)!, guessed: true }
    case 'weekday':
      return dayOrPart(weekdayAround(found.weekday!, meaning.shift, now.today), found.part)
    case 'weekdayPart':
      return namedPeriod(found, now)
    case 'month':
      return around((year) => monthOf(year, found.month!), meaning.shift, now)
    case 'season':
      return around((year) => seasonOf(year, found.season!), meaning.shift, now)
    case 'ago':
      return away(meaning.unit ?? found.unit!, -(meaning.count ?? found.count!), now)
    case 'ahead': {
      const period = away(found.unit!, found.count!, now)
      // Also said of how long something took.
      return period === null ? null : { ...period, guessed: true }
    }
    case 'lastUnits':
      return rolling(found.unit!, -found.count!, now)
    case 'nextUnits':
      return rolling(found.unit!, found.count!, now)
    case 'decade':
      return decadeFrom(found.decade!)
    case 'week': {
      const inYear = (year: number) => weekOf(year, found.count!)
      return found.year === undefined ? latest(inYear, now) : inYear(found.year)
    }
    case 'feast': {
      if (found.year !== undefined) return feastIn(found.year, meaning)
      const inYear = (year: number) => feastIn(year, meaning)
      return meaning.shift === undefined ? latest(inYear, now) : around(inYear, meaning.shift, now)
    }
    case 'date':
      if (found.year !== undefined) return dateIn(found.year, found)
      return onWeekday(found, now) ?? latest((year) => dateIn(year, found), now)
  }
}

export function feastIn(year: number, { month, date, count, weekday }: Feast): Bounded {
  const first = month === 0 ? easterOf(year) + date : dayOf(year, month, date)
  return days(weekday === undefined ? first : first + ((weekday - weekdayOf(first) + 7) % 7), count)
}

export function decadeFrom(year: number): Bounded {
  return months(year, 1, 120)
}

/** What a name alone means after a preposition: the latest that has begun. */
export function namedPeriod(found: Found, now: Now): Period | null {
  if (found.weekday !== undefined) {
    const back = (weekdayOf(now.today) - found.weekday + 7) % 7
    const latestDay = dayOrPart(now.today - back, found.part)
    return {
      ...(latestDay.from! > now.localMs ? dayOrPart(now.today - back - 7, found.part) : latestDay),
      guessed: true,
    }
  }
  return periodOf({ is: 'date' }, found, now)
}

export function dateIn(year: number, { date, lastDate, month, season, quarter }: Found): Period | null {
  if (season !== undefined) return seasonOf(year, season)
  if (quarter !== undefined) return months(year, quarter * 3 - 2, 3)
  if (month === undefined) return months(year, 1, 12)
  if (date === undefined) return monthOf(year, month)
  const last = lastDate ?? date
  if (last < date || last > daysIn(year, month)) return null
  return {
    ...days(dayOf(year, month, date), last - date + 1),
    ...(lastDate === undefined ? {} : { ranged: true as const }),
  }
}

/** "Thu 19 Nov": of this year or the ones next to it, the one in which that day is a Thursday: there is at most one. */
function onWeekday(found: Found, now: Now): Period | null {
  if (found.weekday === undefined || found.date === undefined) return null
  const { year } = dateOf(now.today)
  const near = [year - 1, year, year + 1].flatMap((one) => dateIn(one, found) ?? [])
  return near.find(({ from }) => weekdayOf(from! / msPerDay) === found.weekday) ?? null
}

/** A day of some month, and the weekday that it must be. */
export interface DayOfMonth {
  readonly date: number
  readonly weekday?: number | undefined
}

/** The latest that has begun. */
export function latestDayOfMonth(day: DayOfMonth, now: Now): Bounded | null {
  return dayOfMonth(day, -1, now)
}

/** The first that has not begun. */
export function nextDayOfMonth(day: DayOfMonth, now: Now): Bounded | null {
  return dayOfMonth(day, 1, now)
}

function dayOfMonth({ date, weekday }: DayOfMonth, step: -1 | 1, { localMs, today }: Now): Bounded | null {
  if (date < 1) return null
  const { year, month } = dateOf(today)
  for (let away = 0; away <= mostMonths; away++) {
    const first = dateOf(dayOf(year, month + step * away, 1))
    if (date > daysIn(first.year, first.month)) continue
    const day = dayOf(first.year, first.month, date)
    const isAhead = day * msPerDay > localMs
    if (isAhead === step > 0 && (weekday ?? weekdayOf(day)) === weekdayOf(day)) return days(day, 1)
  }
  return null
}

/** Within them, each date from 1 to 31 is on each weekday. */
const mostMonths = 48

/** The latest year in which it has begun; a leap day, within eight years. */
function latest(inYear: (year: number) => Period | null, now: Now): Period | null {
  const { year } = dateOf(now.today)
  for (let back = 0; back <= 8; back++) {
    const period = inYear(year - back)
    if (period !== null && period.from! <= now.localMs) return { ...period, guessed: true }
  }
  return null
}

/** −1: the latest that is over; 0: the one that contains now, else that of this year; 1: the first that has not begun. */
function around(inYear: (year: number) => Bounded, shift: number, { localMs, today }: Now): Period {
  const { year } = dateOf(today)
  const near = [-2, -1, 0, 1].map((years) => inYear(year + years))
  if (shift < 0) return near.findLast(({ before }) => before <= localMs)!
  if (shift > 0) return near.find(({ from }) => from > localMs)!
  return near.find(({ from, before }) => from <= localMs && localMs < before) ?? inYear(year)
}

function weekdayAround(weekday: number, shift: number, today: number): number {
  const ofToday = weekdayOf(today)
  if (shift === 0) return today - ofToday + weekday
  return shift < 0 ? today - ((ofToday - weekday + 6) % 7) - 1 : today + ((weekday - ofToday + 6) % 7) + 1
}

export function calendarUnit(unit: Unit, shift: number, { today }: Now): Period | null {
  const { year, month } = dateOf(today)
  const monday = today - weekdayOf(today) + 1
  switch (unit) {
    case 'week':
      return days(monday + 7 * shift, 7)
    case 'weekend':
      return days(monday + 7 * shift + 5, 2)
    case 'month':
      return months(year, month + shift, 1)
    case 'quarter':
      return months(year, month - ((month - 1) % 3) + 3 * shift, 3)
    case 'year':
      return months(year + shift, 1, 12)
    // "The last day of school" names no time.
    default:
      return null
  }
}

/** So many units from now: a whole calendar unit. Hours and minutes are meant roughly: a quarter more or less. */
function away(unit: Unit, count: number, now: Now): Period | null {
  if (unit === 'day') return days(now.today + count, 1)
  if (unit !== 'hour' && unit !== 'minute') return calendarUnit(unit, count, now)
  const unitMs = unit === 'hour' ? hourMs : hourMs / 60
  const at = now.localMs + count * unitMs
  const about = Math.max(unitMs / 2, Math.round((Math.abs(count) * unitMs) / 4))
  return { from: at - about, before: at + about, exact: true }
}

/** The units up to now, or from now: whole days, today included. Hours and minutes count from now. */
function rolling(unit: Unit, count: number, { localMs, today }: Now): Period | null {
  if (unit === 'hour' || unit === 'minute') {
    const reach = count * (unit === 'hour' ? hourMs : hourMs / 60)
    return { from: Math.min(localMs, localMs + reach), before: Math.max(localMs, localMs + reach) + 1, exact: true }
  }
  const { year, month, date } = dateOf(today)
  const perMonth = { month: 1, quarter: 3, year: 12 } as const
  if (unit === 'month' || unit === 'quarter' || unit === 'year') {
    const there = month + count * perMonth[unit]
    const day = dayOf(year, there, Math.min(date, daysIn(year, there)))
    return count < 0 ? days(day, today - day + 1) : days(today, day - today + 1)
  }
  const reach = Math.abs(count) * (unit === 'day' ? 1 : 7)
  return days(count < 0 ? today - reach : today, reach + 1)
}

/** ISO 8601 weeks: the first has the year's 4 January. Null outside 1900 to 2099 and 1 to 53. */
export function weekOf(year: number, week: number): Period | null {
  if (year < 1900 || year > 2099 || week < 1 || week > 53) return null
  const fourth = dayOf(year, 1, 4)
  return days(fourth - weekdayOf(fourth) + 1 + 7 * (week - 1), 7)
}

function dayOrPart(day: number, part: PartOfDay | undefined): Period {
  return part === undefined ? days(day, 1) : partOfDay(part, day)
}

function partOfDay(part: PartOfDay, day: number): Period {
  const [from, before] = hoursOf[part]
  return { from: day * msPerDay + from * hourMs, before: day * msPerDay + before * hourMs }
}

/** Local hours of the day; the night ends on the next day. */
const hoursOf: Readonly<Record<PartOfDay, readonly [number, number]>> = {
  morning: [4, 12],
  afternoon: [12, 18],
  evening: [17, 24],
  night: [18, 30],
}

/** Of the northern half of the earth, in whole months: spring is March to May. The winter of a year begins in its December. */
function seasonOf(year: number, season: number): Bounded {
  return months(year, 3 + 3 * season, 3)
}

function monthOf(year: number, month: number): Bounded {
  return months(year, month, 1)
}

export function months(year: number, month: number, count: number): Bounded {
  return { from: dayOf(year, month, 1) * msPerDay, before: dayOf(year, month + count, 1) * msPerDay }
}

export function days(day: number, count: number): Bounded {
  return { from: day * msPerDay, before: (day + count) * msPerDay }
}
