/**
 * A hybrid logical clock: stamps that follow the wall clock while it runs forward, and that always exceed every stamp the device
 * has seen. So a change is ordered after everything its device knew, whatever the clocks of the devices say.
 * (Kulkarni et al., "Logical physical clocks", 2014.)
 */
import { tuning } from '../model/tuning.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { mergeTuning } from './merge-tuning.ts'

/** When and where a change was made. Two changes never have the same stamp. */
export interface Stamp {
  /** ms since 1970, an integer: the greatest wall clock that the device had seen. */
  readonly at: number
  /** Counts the changes with the same `at`, from 0. */
  readonly count: number
  /** Id of the device that made the change. */
  readonly device: string
}

/** Negative, zero or positive if `a` is before, equals or is after `b`: by time, then count, then device. Total. */
export function compareStamps(a: Stamp, b: Stamp): number {
  return a.at - b.at || a.count - b.count || compareCodePoints(a.device, b.device)
}

/** The clock of a device that has neither made nor seen a change. */
export function startClock(device: string): Stamp {
  return { at: -tuning.maxTimestampMs, count: 0, device }
}

/** The stamp of the next change, which is also the new clock. `nowMs`: wall clock; may be behind, fractional or NaN. */
export function nextStamp(clock: Stamp, nowMs: number): Stamp {
  const now = Math.min(Math.floor(nowMs), tuning.maxTimestampMs)
  return now > clock.at ? { ...clock, at: now, count: 0 } : { ...clock, count: clock.count + 1 }
}

/** The clock after a stamp of another device was seen: the next stamp exceeds both. */
export function clockAfter(clock: Stamp, seen: Stamp): Stamp {
  const isAhead = seen.at > clock.at || (seen.at === clock.at && seen.count > clock.count)
  return isAhead ? { ...seen, device: clock.device } : clock
}

/**
 * Whether a stamp is more than a day beyond the wall clock and beyond every stamp seen before. Such a stamp comes from a wrong clock,
 * and would win against every change that is made without knowing it.
 */
export function isFarAhead(stamp: Stamp, clock: Stamp, nowMs: number): boolean {
  return stamp.at - Math.max(clock.at, Math.floor(nowMs)) > mergeTuning.maxClockAheadMs
}
