/** The proleptic Gregorian calendar in whole days, counted from 1970-01-01. Months are 1 to 12, weekdays 1 (Monday) to 7. */

export interface CalendarDate {
  readonly year: number
  readonly month: number
  readonly date: number
}

/** The number of a day. Months beyond 12 or below 1 run over into other years; dates into other months. */
export function dayOf(year: number, month: number, date: number): number {
  const months = year * 12 + month - 1
  // Years start in March here, so that the leap day comes last.
  const fromMarch = months - 2
  const y = Math.floor(fromMarch / 12)
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (fromMarch - y * 12) + 2) / 5) + date - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * daysPerEra + dayOfEra - daysBefore1970
}

export function dateOf(day: number): CalendarDate {
  const fromEra = day + daysBefore1970
  const era = Math.floor(fromEra / daysPerEra)
  const dayOfEra = fromEra - era * daysPerEra
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    date: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  }
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}

export function daysIn(year: number, month: number): number {
  return dayOf(year, month + 1, 1) - dayOf(year, month, 1)
}

/** Easter Sunday of the Gregorian calendar. After Meeus, Astronomical Algorithms, 1991, chapter 8. */
export function easterOf(year: number): number {
  const [century, ofCentury] = [Math.floor(year / 100), year % 100]
  const golden = year % 19
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451)
  return dayOf(year, 3, epact + toSunday - 7 * late + 22)
}

/** Days in 400 years, and from 0000-03-01 to 1970-01-01. */
const daysPerEra = 146_097
const daysBefore1970 = 719_468
