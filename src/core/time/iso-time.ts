/** Formats times as ISO 8601 in UTC, like `Date`, which core must not use. */
import { tuning } from '../model/tuning.ts'
import { dateOf } from './calendar.ts'

/** A time within ±8.64e15 ms: `2026-01-31T09:05:00.250Z`. Fractions of a millisecond are cut off. */
export function isoTime(ms: number): string {
  const whole = Math.trunc(ms)
  const day = Math.floor(whole / tuning.msPerDay)
  const ofDay = whole - day * tuning.msPerDay
  const part = (unitMs: number, per: number, width = 2) => String(Math.floor(ofDay / unitMs) % per).padStart(width, '0')
  return `${isoDay(day)}T${part(3_600_000, 24)}:${part(60_000, 60)}:${part(1000, 60)}.${part(1, 1000, 3)}Z`
}

/** The ISO 8601 date of a day, counted from 1970-01-01. Proleptic Gregorian calendar. */
export function isoDay(day: number): string {
  const { year, month, date } = dateOf(day)
  return `${spellYear(year)}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
}

function spellYear(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0')
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`
}
