/** Least scores: a skip rule that depends on the best score at most, never on the limit [S4]. */
import { isStaged, type Policy } from '../model/policy.ts'

export interface Threshold {
  /** Records below are left out. */
  readonly least: number
  /** Records taken at most, beside the limit. */
  readonly most: number
}

/** `best`: the highest score of all, when there is one. */
export function thresholdOf(policy: Policy, best: number | undefined): Threshold {
  const least = policy.minScore ?? Number.NEGATIVE_INFINITY
  if (!isStaged(policy) || best === undefined) return { least, most: Number.POSITIVE_INFINITY }
  const { strong, weak, weakLimit } = policy.thresholds
  if (best >= strong) return { least: Math.max(least, strong), most: Number.POSITIVE_INFINITY }
  return { least: Math.max(least, weak), most: weakLimit }
}

/** The policy as if every score were high enough. */
export function withoutThresholds(policy: Policy): Policy {
  const open = { ...policy, minScore: undefined }
  return isStaged(open) ? { ...open, thresholds: { strong: -Infinity, weak: -Infinity, weakLimit: 0 } } : open
}
