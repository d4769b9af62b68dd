/** Parts of a period: the beginning of a year, mid-October, the second half of May. */
import { tuning } from '../model/tuning.ts'
import { dateOf } from './calendar.ts'
import type { Section } from './languages/language.ts'
import { days, months, type Period } from './period.ts'

/**
 * The part of a whole week, month, quarter, season, year or decade; null for other periods. Beginning, middle and end are thirds: ten days of
 * a month, whole months of longer periods; of a week two, two and three days.
 */
export function sectionOf(section: Section, { from, before, exact, ranged, ...period }: Period): Period | null {
  if (from === null || before === null || exact === true || ranged === true) return null
  const [first, length] = [from / msPerDay, (before - from) / msPerDay]
  const { year, month, date } = dateOf(first)
  if (length === 7) return isThird(section) ? { ...period, ...weekThird(first, section) } : null
  if (date !== 1 || length < 28) return null
  if (length <= 31) {
    const [start, end] = daysOfMonth[section]
    return { ...period, ...days(first + start - 1, Math.min(end, length) - start + 1) }
  }
  const count = Math.round(length / daysPerMonth)
  const [at, share] = shares[section]
  const size = count / share
  return share === 0 || !Number.isInteger(size) ? null : { ...period, ...months(year, month + at * size, size) }
}

const { msPerDay } = tuning
const daysPerMonth = 30.4

function isThird(section: Section): section is 'early' | 'middle' | 'late' {
  return section === 'early' || section === 'middle' || section === 'late'
}

function weekThird(monday: number, section: 'early' | 'middle' | 'late'): Period {
  return section === 'early' ? days(monday, 2) : section === 'middle' ? days(monday + 2, 2) : days(monday + 4, 3)
}

/** First and last day; 31 is the last day of the month. Which week is the first or the last is open, so these have ten days. */
const daysOfMonth: Readonly<Record<Section, readonly [number, number]>> = {
  early: [1, 10],
  middle: [11, 20],
  late: [21, 31],
  firstHalf: [1, 15],
  secondHalf: [16, 31],
  firstWeek: [1, 10],
  lastWeek: [21, 31],
}

/** Which share of the months it is, and of how many; 0: none. */
const shares: Readonly<Record<Section, readonly [at: number, of: number]>> = {
  early: [0, 3],
  middle: [1, 3],
  late: [2, 3],
  firstHalf: [0, 2],
  secondHalf: [1, 2],
  firstWeek: [0, 0],
  lastWeek: [0, 0],
}
