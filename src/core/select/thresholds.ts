/** Computes the least score of a hit. It depends at most on the best score, never on the limit [S4]. */
import type { Policy } from '../model/policy.ts'

export interface Threshold {
  /** Least score of a hit. */
  readonly least: number
  /** Most hits, in addition to the limit. */
  readonly most: number
}

/** `best`: the highest score of all candidates, if there are any. */
export function thresholdOf(policy: Policy, best: number | undefined): Threshold {
  const least = policy.minScore ?? Number.NEGATIVE_INFINITY
  if (!('thresholds' in policy) || best === undefined) return { least, most: Number.POSITIVE_INFINITY }
  const { strong, weak, weakLimit } = policy.thresholds
  if (best >= strong) return { least: Math.max(least, strong), most: Number.POSITIVE_INFINITY }
  return { least: Math.max(least, weak), most: weakLimit }
}

/** The same policy without thresholds. */
export function withoutThresholds(policy: Policy): Policy {
  const open = { ...policy, minScore: undefined }
  return 'thresholds' in open ? { ...open, thresholds: { strong: -Infinity, weak: -Infinity, weakLimit: 0 } } : open
}
