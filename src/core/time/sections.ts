/** Parts of a period: the beginning of a year, mid-October, the second half of May. */
import { tuning } from '../model/tuning.ts'
import { dateOf, weekdayOf } from './calendar.ts'
import type { Section } from './languages/language.ts'
import type { Found } from './pattern.ts'
import { days, months, type Period } from './period.ts'

/**
 * The part of a whole week, month, quarter, season, year or decade; null for other periods. Beginning, middle and end are thirds: ten days of
 * a month, whole months of longer periods; of a week two, two and three days.
 */
export function sectionOf(
  section: Section,
  { from, before, exact, ranged, ...period }: Period,
  { quarter: nth = 1, weekday = 1 }: Found,
): Period | null {
  if (from === null || before === null || exact === true || ranged === true) return null
  const [first, length] = [from / msPerDay, (before - from) / msPerDay]
  if (section === 'nthWeekday') {
    const day = first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1)
    return length >= 28 ? { ...period, ...days(day, 1) } : null
  }
  if (section === 'lastWeekday') {
    const last = first + length - 1
    return length >= 28 ? { ...period, ...days(last - ((weekdayOf(last) - weekday + 7) % 7), 1) } : null
  }
  const { year, month, date } = dateOf(first)
  if (length === 7) return isThird(section) ? { ...period, ...weekThird(first, section) } : null
  if (date !== 1 || length < 28) return null
  if (length <= 31) {
    const [start, end] = daysOfMonth[section] ?? [Math.max(1, 7 * nth - 9), 7 * nth + 3]
    return { ...period, ...days(first + start - 1, Math.min(end, length) - start + 1) }
  }
  const count = Math.round(length / daysPerMonth)
  const [at, share] = shares[section] ?? [0, 0]
  const size = count / share
  return Number.isInteger(size) ? { ...period, ...months(year, month + at * size, size) } : null
}

const { msPerDay } = tuning
const daysPerMonth = 30.4

function isThird(section: Section): section is 'early' | 'middle' | 'late' {
  return section === 'early' || section === 'middle' || section === 'late'
}

function weekThird(monday: number, section: 'early' | 'middle' | 'late'): Period {
  return section === 'early' ? days(monday, 2) : section === 'middle' ? days(monday + 2, 2) : days(monday + 4, 3)
}

/** First and last day; 31 is the last day of the month. Which week is the first or the last is open, so they have ten days, and those between have 13. */
const daysOfMonth: Readonly<Partial<Record<Section, readonly [number, number]>>> = {
  early: [1, 10],
  middle: [11, 20],
  late: [21, 31],
  firstHalf: [1, 15],
  secondHalf: [16, 31],
  lastWeek: [21, 31],
}

/** Which share of the months it is, and of how many. */
const shares: Readonly<Partial<Record<Section, readonly [at: number, of: number]>>> = {
  early: [0, 3],
  middle: [1, 3],
  late: [2, 3],
  firstHalf: [0, 2],
  secondHalf: [1, 2],
}
