/**
 * The learned signals, each within −1..1: confidence, age since the last touch, and confirmed reads. All are 0 for a record
 * without learned data that was touched now.
 */
import { dayMs } from './recency.ts'
import type { Signal } from './signal.ts'

export const confidence: Signal = {
  name: 'confidence',
  value: ({ candidates }, row) => 2 * (candidates.confidence?.[row] ?? 0.5) - 1,
  weight: ({ candidates, policy }) => (candidates.confidence === null ? 0 : policy.learned.confidence),
  reason: (value) => (value > 0 ? 'has proved right' : 'has proved wrong'),
}

/** 1 / (1 + age / half-life) − 1. Hyperbolic like forgetting, and cheap enough for thousands of candidates. */
export const decay: Signal = {
  name: 'decay',
  value({ candidates, policy, now }, row) {
    const ageDays = Math.max(0, now - (candidates.touchedAt?.[row] ?? now)) / dayMs
    return -ageDays / (ageDays + policy.learned.halfLifeDays)
  },
  weight: ({ candidates, policy }) => (candidates.touchedAt === null ? 0 : policy.learned.decay),
  reason: (value) => `not touched for long: ${value.toFixed(2)}`,
}

export const access: Signal = {
  name: 'access',
  value({ candidates, policy }, row) {
    const reads = candidates.accesses?.[row] ?? 0
    return reads / (reads + policy.learned.halfReads)
  },
  weight: ({ candidates, policy }) => (candidates.accesses === null ? 0 : policy.learned.access),
  reason: (value, { candidates }, row) => `was of use ${candidates.accesses?.[row] ?? 0} times: ${value.toFixed(2)}`,
}
