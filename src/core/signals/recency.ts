/** How recently the record changed: 1 − age / window. 0 beyond the window; 1 for a time in the future. */
import type { ConvexPolicy } from '../model/policy.ts'
import type { Signal } from './signal.ts'

export const recency: Signal = {
  name: 'recency',
  value: ({ candidates, policy, now }, row) =>
    recencyOf(candidates.updatedAt?.[row] ?? Number.NEGATIVE_INFINITY, policy, now),
  weight: ({ candidates, policy }) => (candidates.updatedAt === null ? 0 : policy.recency),
  reason: (value, { policy }) => `changed within ${policy.recencyWindowDays} days: ${value.toFixed(2)}`,
}

export function recencyOf(updatedAt: number, { recencyWindowDays }: ConvexPolicy, now: number): number {
  return Math.min(1, Math.max(0, 1 - (now - updatedAt) / (recencyWindowDays * dayMs)))
}

export const dayMs = 86_400_000
