/** A period in words, in local time: "9 to 15 November 2026". */
import { tuning } from '../model/tuning.ts'
import { type CalendarDate, dateOf, daysIn } from './calendar.ts'
import type { OffsetAt } from './zone.ts'

/** `from` and `before` in ms, half-open; null on an open side. */
export function describePeriod(from: number | null, before: number | null, offsetAt: OffsetAt): string {
  const local = (ms: number) => ms + offsetAt(ms)
  if (from === null && before === null) return 'any time'
  if (from === null) return `until ${spell(dateOf(dayAt(local(before! - 1))))}`
  if (before === null) return `from ${spell(dateOf(dayAt(local(from))))} on`
  const [start, end] = [local(from), local(before)]
  const [first, last] = [dateOf(dayAt(start)), dateOf(dayAt(local(before - 1)))]
  if (start % msPerDay === 0 && end % msPerDay === 0) return spellDays(first, last)
  const isSameDay = spell(first) === spell(last)
  return `${spell(first)}, ${clock(start)} to ${isSameDay ? '' : `${spell(last)}, `}${clock(end)}`
}

const { msPerDay } = tuning

function dayAt(localMs: number): number {
  return Math.floor(localMs / msPerDay)
}

function spellDays(first: CalendarDate, last: CalendarDate): string {
  const isSameYear = first.year === last.year
  const isSameMonth = isSameYear && first.month === last.month
  const isWhole = first.date === 1 && last.date === daysIn(last.year, last.month)
  if (isWhole && isSameYear && first.month === 1 && last.month === 12) return `${first.year}`
  if (isWhole && isSameMonth) return `${names[first.month - 1]} ${first.year}`
  if (isSameMonth && first.date === last.date) return spell(first)
  if (isSameMonth) return `${first.date} to ${spell(last)}`
  if (isSameYear) return `${first.date} ${names[first.month - 1]} to ${spell(last)}`
  return `${spell(first)} to ${spell(last)}`
}

function spell({ year, month, date }: CalendarDate): string {
  return `${date} ${names[month - 1]} ${year}`
}

function clock(localMs: number): string {
  const minutes = Math.floor((localMs - Math.floor(localMs / msPerDay) * msPerDay) / 60_000)
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

const names: readonly string[] =
  'January February March April May June July August September October November December'.split(' ')
