/** Formats times as ISO 8601 in UTC, like `Date`, which core must not use. */
import { tuning } from '../model/tuning.ts'

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
  // Years start in March here, so that the leap day comes last; 719,468 days lie between 0000-03-01 and 1970-01-01.
  const fromEra = day + 719_468
  const era = Math.floor(fromEra / daysPerEra)
  const dayOfEra = fromEra - era * daysPerEra
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const date = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${spellYear(year)}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
}

/** Days in 400 years. */
const daysPerEra = 146_097

function spellYear(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0')
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`
}
