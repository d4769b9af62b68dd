/** Says in words which statement a hit replaces, and which one replaced it. */
import type { Facts } from '../model/facts.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Change, Contribution } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import { describePeriod } from '../time/describe-period.ts'
import { utc } from '../time/zone.ts'

/** One reason for each change: the other statement and its day. */
export function changeReasons(changes: readonly Change[], id: string, { records }: Facts): readonly string[] {
  return changes.flatMap(({ earlier, later }) => {
    const other = id === later ? earlier : later
    for (const record of records.values())
      if (record.id === other)
        return [`${id === later ? 'replaces' : 'replaced by'} ${quoted(record)}, ${dayOf(record)}`]
    return []
  })
}

/**
 * The contributions with what the record rose by. If rounding misses the score, it is in two parts, of which the second is exact because
 * what it is added to is at least half the score: the sum is the score to the last bit [G3]. `before`: undefined if it did not rise.
 */
export function withRise(
  contributions: readonly Contribution[],
  before: number | undefined,
  score: number,
  reasons: readonly string[],
): readonly Contribution[] {
  if (before === undefined || before === score) return contributions
  const whole = score - before
  const most = whole * 0.75
  const parts = before + whole === score ? [whole] : [most, score - (before + most)]
  const reason = reasons[0] ?? 'replaces another'
  return [
    ...contributions,
    ...parts.map((amount) => ({ signal: 'change', value: amount, weight: 1, amount, reason }) as const),
  ]
}

/** The text of a statement, cut. */
export function quoted({ title, body }: StoredRecord): string {
  const text = Array.from((body ?? title ?? '').replace(/\s+/g, ' ').trim())
  return text.length <= longestQuote ? `“${text.join('')}”` : `“${text.slice(0, longestQuote).join('').trimEnd()}…”`
}

const longestQuote = 80

export function dayOf({ occurredAt, createdAt }: StoredRecord): string {
  return dayAt(occurredAt ?? createdAt)
}

/** The UTC day of a time, in words. */
export function dayAt(at: number): string {
  const from = Math.floor(at / tuning.msPerDay) * tuning.msPerDay
  return describePeriod(from, from + tuning.msPerDay, utc)
}
