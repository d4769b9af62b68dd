/** The time of a day on the clocks of a zone. */
import { recallError } from '../../core/model/errors.ts'
import { dayOf } from '../../core/time/calendar.ts'
import { instantOf, type OffsetAt } from '../../core/time/zone.ts'

/** Undefined: the zone of the device. */
export function offsetsOf(timeZone: string | undefined): OffsetAt {
  if (timeZone === undefined) return (ms) => -60_000 * new Date(ms).getTimezoneOffset()
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', { ...parts, timeZone })
  } catch {
    throw recallError('INVALID_ARGUMENT', 'must be the IANA name of a time zone', {
      field: 'timeZone',
      value: timeZone,
      hint: 'Give a name such as "Europe/Berlin" or "UTC".',
    })
  }
  return (ms) => {
    const second = Math.floor(ms / 1000) * 1000
    const read: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(second)) read[type] = Number(value)
    return (
      Date.UTC(read['year']!, read['month']! - 1, read['day'], read['hour'], read['minute'], read['second']) - second
    )
  }
}

/** ms of the start of a day in the zone; month and date count from 1. */
export function startOfDay(year: number, month: number, date: number, offsetAt: OffsetAt): number {
  return instantOf(dayOf(year, month, date) * 86_400_000, offsetAt)
}

const parts: Intl.DateTimeFormatOptions = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
}
