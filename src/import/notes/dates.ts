/** Reads the times that exports write: numbers in seconds to microseconds, ISO 8601, and the day in the name of a daily note. */
import { dayOf, daysIn } from '../../core/time/calendar.ts'
import { instantOf, type OffsetAt } from '../../core/time/zone.ts'
import { startOfDay } from './zone.ts'

const written =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$/i

/** ms since the epoch; undefined if it is not a time. A text without a zone is read in that of the import. */
export function readTime(value: unknown, offsetAt: OffsetAt): number | undefined {
  if (value instanceof Date) return inRange(value.getTime())
  if (typeof value === 'number') return inRange(msOf(value))
  if (typeof value !== 'string') return undefined
  const text = value.trim().replace(/^(["'[{]+)(.*?)[\]}"']+$/, '$2')
  if (/^\d{9,17}(?:\.\d+)?$/.test(text)) return inRange(msOf(Number(text)))
  const found = written.exec(text.replaceAll(/(?<=^\d{4})[/.](\d{1,2})[/.]/g, '-$1-'))
  if (found === null) return /^(?:\w{3}, )?\d{1,2} \w{3} \d{4} /.test(text) ? inRange(Date.parse(text)) : undefined
  const [year, month, date, hour, minute, second] = found.slice(1, 7).map((digits) => Number(digits ?? 0))
  if (!isDay(year!, month!, date!) || hour! > 23 || minute! > 59 || second! > 60) return undefined
  const fraction = Number((found[7] ?? '').padEnd(3, '0').slice(0, 3))
  const local = dayOf(year!, month!, date!) * 86_400_000 + ((hour! * 60 + minute!) * 60 + second!) * 1000 + fraction
  const zone = found[8]
  if (zone === undefined) return instantOf(local, offsetAt)
  if (/^[a-z]/i.test(zone)) return local
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return local - (zone[0] === '-' ? -1 : 1) * minutes * 60_000
}

/** The largest unit that gives a year after 1973: seconds, ms, µs or ns. */
function msOf(value: number): number {
  if (value < 1e11) return Math.round(value * 1000)
  if (value < 1e14) return Math.round(value)
  return value < 1e17 ? Math.floor(value / 1e3) : Math.floor(value / 1e6)
}

function inRange(ms: number): number | undefined {
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? ms : undefined
}

function isDay(year: number, month: number, date: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && date >= 1 && date <= daysIn(year, month)
}

/**
 * The start of the day in the name of a note: `2026-11-18`, `2026_11_18`, `20261118`, `2026.11.18`, `journal.2026.11.18`, also with words
 * around it, and `202611180930` of a zettel with its time. Undefined without one, or with two.
 */
export function dayInName(name: string, offsetAt: OffsetAt): number | undefined {
  const days = [
    ...name.matchAll(/(?<!\d)(\d{4})([-_. ]?)(\d{2})\2(\d{2})(?:[T ]?(\d{2})(\d{2})(?:\d{2})?)?(?!\d)/g),
  ].filter(
    ([, year, , month, date]) =>
      Number(year) >= 1900 && Number(year) < 2200 && isDay(Number(year), Number(month), Number(date)),
  )
  const [first] = days
  if (first === undefined || days.length > 1) return undefined
  const start = startOfDay(Number(first[1]), Number(first[3]), Number(first[4]), offsetAt)
  const minutes = Number(first[5] ?? 0) * 60 + Number(first[6] ?? 0)
  return start + (minutes < 1440 ? minutes * 60_000 : 0)
}
