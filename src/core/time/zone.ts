/**
 * Local time: the clock of a wall in a time zone, as the ms that UTC would have at that reading. The offsets of a zone come from
 * the caller, because their source (Intl) depends on the engine.
 */
import { tuning } from '../model/tuning.ts'

/** Local time minus UTC at an instant, both in ms: 3,600,000 for Berlin in winter. */
export type OffsetAt = (ms: number) => number

export const utc: OffsetAt = () => 0

/**
 * The instant at which clocks show a local time: the earlier one when clocks show it twice. A time that clocks skip is the instant
 * at which they skip.
 */
export function instantOf(localMs: number, offsetAt: OffsetAt): number {
  const earlier = localMs - offsetAt(localMs - tuning.msPerDay)
  const later = localMs - offsetAt(localMs + tuning.msPerDay)
  const valid = [earlier, later].filter((ms) => ms + offsetAt(ms) === localMs)
  return valid.length === 0 ? Math.max(earlier, later) : Math.min(...valid)
}
