/** Whether the files of the record are unchanged, if their state is known. */
import type { Signal } from './signal.ts'

export const freshness: Signal = {
  name: 'freshness',
  value({ facts, policy }, row) {
    const found = facts.freshness.get(row)
    return found === undefined || found === 'unknown' || found === 'unverifiable' ? 0 : policy.freshness[found]
  },
  weight: ({ facts }) => (facts.freshness.size === 0 ? 0 : 1),
  reason: (_value, { facts }, row) => freshnessWords[facts.freshness.get(row) ?? 'unknown'],
}

export const freshnessWords = {
  fresh: 'its files are as they were',
  stale_changed: 'a file it speaks of has changed',
  stale_deleted: 'a file it speaks of is gone',
  unverifiable: 'it speaks of no file',
  unknown: 'nothing is known of its files',
} as const
