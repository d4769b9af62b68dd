/** Reads times in ISO 8601, like `Date.parse`, which core must not use. A time of day needs a zone: core knows no local time. */
import { tuning } from '../model/tuning.ts'
import { dayOf, daysIn } from './calendar.ts'

const shape = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2}))?$/

/** Returns ms since the epoch; a date alone means its midnight in UTC. Digits beyond ms are cut off. Undefined if the text has another form. */
export function parseIsoTime(text: string): number | undefined {
  const found = shape.exec(text)
  if (!found) return undefined
  const [year, month, date, hour, minute, second] = found.slice(1, 7).map((digits) => Number(digits ?? 0))
  const isDay = month! >= 1 && month! <= 12 && date! >= 1 && date! <= daysIn(year!, month!)
  if (!isDay || hour! > 23 || minute! > 59 || second! > 59) return undefined
  const offset = offsetMinutes(found[8])
  if (offset === undefined) return undefined
  const minutes = hour! * 60 + minute! - offset
  const fraction = Number((found[7] ?? '').padEnd(3, '0').slice(0, 3))
  return dayOf(year!, month!, date!) * tuning.msPerDay + (minutes * 60 + second!) * 1000 + fraction
}

/** Minutes east of UTC. */
function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (hours > 23 || minutes > 59) return undefined
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
