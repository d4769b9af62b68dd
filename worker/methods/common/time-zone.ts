/**
 * The offsets of IANA time zones, from the engine's own data (Intl). Engines of different releases may differ for zones whose rules
 * changed lately; the plan of an answer shows the windows that were read.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import { type OffsetAt, utc } from '../../../src/core/time/zone.ts'

/** Rejects a name that the engine does not know. */
export function offsetsOf(timeZone: string | undefined, field: string): OffsetAt {
  if (timeZone === undefined || timeZone === 'UTC') return utc
  const known = zones.get(timeZone)
  if (known !== undefined) return known
  const offsetAt = createOffsets(timeZone, field)
  if (zones.size >= mostZones) zones.clear()
  zones.set(timeZone, offsetAt)
  return offsetAt
}

/** Of the device, now: it may travel. A Date knows its zone, and loads no data of other zones, as the first formatter does. */
export const offsetsOfDevice: OffsetAt = (ms) => {
  if (Math.abs(ms) > farMs) return 0
  const second = Math.floor(ms / 1000) * 1000
  const local = new Date(second)
  const [year, month, day] = [local.getFullYear(), local.getMonth(), local.getDate()]
  return Date.UTC(year, month, day, local.getHours(), local.getMinutes(), local.getSeconds()) - second
}

/** A formatter costs a millisecond to make. Apps use one zone, or few. */
const zones = new Map<string, OffsetAt>()
const mostZones = 32

function createOffsets(timeZone: string, field: string): OffsetAt {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', { ...parts, timeZone })
  } catch {
    throw recallError('INVALID_ARGUMENT', 'must be the IANA name of a time zone', {
      field,
      value: timeZone,
      hint: 'Give a name such as "Europe/Berlin" or "UTC".',
    })
  }
  return (ms) => {
    if (Math.abs(ms) > farMs) return 0
    const second = Math.floor(ms / 1000) * 1000
    const read: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(second)) read[type] = Number(value)
    return Date.UTC(read.year!, read.month! - 1, read.day, read.hour, read.minute, read.second) - second
  }
}

/** Beyond some 1,900 years from 1970 the year alone would be ambiguous (BC), and no zone has rules. */
const farMs = 6e13

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
