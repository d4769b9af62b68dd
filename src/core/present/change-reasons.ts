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

/** The contributions with what the record rose by, so that their sum is the score to the last bit [G3]. `before`: undefined if it did not rise. */
export function withRise(
  contributions: readonly Contribution[],
  before: number | undefined,
  score: number,
  reasons: readonly string[],
): readonly Contribution[] {
  const amount = before === undefined ? 0 : riseTo(score, before)
  if (amount === 0) return contributions
  return [
    ...contributions,
    { signal: 'change', value: amount, weight: 1, amount, reason: reasons[0] ?? 'replaces another' },
  ]
}

/** The amount that makes `score` of `before`: the rounded difference, or a neighbour of it. */
function riseTo(score: number, before: number): number {
  const amount = score - before
  for (let ulps = 0; ulps < 4; ulps++)
    for (const sign of [1, -1]) {
      const near = amount + sign * ulps * Number.EPSILON * Math.abs(amount)
      if (before + near === score) return near
    }
  return amount
}

function quoted({ title, body }: StoredRecord): string {
  const text = Array.from((body ?? title ?? '').replace(/\s+/g, ' ').trim())
  return text.length <= longestQuote ? `“${text.join('')}”` : `“${text.slice(0, longestQuote).join('').trimEnd()}…”`
}

const longestQuote = 80

function dayOf({ occurredAt, createdAt }: StoredRecord): string {
  const at = occurredAt ?? createdAt
  const from = Math.floor(at / tuning.msPerDay) * tuning.msPerDay
  return describePeriod(from, from + tuning.msPerDay, utc)
}
