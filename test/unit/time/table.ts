/** Reads a text at Wednesday 18 November 2026, 10:30 UTC, and says what was read: "text: window", one for each expression. */
import { describePeriod } from '../../../src/core/time/describe-period.ts'
import { readTimes } from '../../../src/core/time/read-times.ts'
import { utc } from '../../../src/core/time/zone.ts'

export const wednesday = Date.UTC(2026, 10, 18, 10, 30)

export function readAt(text: string, now = wednesday): readonly string[] {
  return readTimes(text, { now, offsetAt: utc }).map(
    ({ at, from, before }) => `${text.slice(...at)}: ${describePeriod(from, before, utc)}`,
  )
}
