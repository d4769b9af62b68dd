/** Every policy that ships, and an app's own policy of plain rank fusion: laws must hold under each. */
import type { Policy, RankPolicy } from '../../../src/core/model/policy.ts'
import { policies } from '../../../src/core/policies/policies.ts'

const { decay: _decay, lifeDays: _lifeDays, lifeDaysByTag: _lifeDaysByTag, ...rules } = policies.secondBrain

/** An app's own: every channel takes part, copies collapse, the oldest id of equals is last. */
export const plainRanks: RankPolicy = {
  ...rules,
  name: 'plain ranks',
  depths: { lexical: 1000, terms: 1000, paths: 1000, vector: 1000, recent: 1000, linked: 1000, anchors: 1000 },
  fusion: {
    kind: 'rrf',
    offset: 60,
    weights: { lexical: 1, vector: 0.8, terms: 0.5, paths: 0.5, recent: 1, anchors: 0.3 },
  },
  gateStatus: true,
  gateCodes: ['excluded_by_policy'],
  collapse: 'exact',
}

/** Name and literal, for `describe.each`. */
export const everyPolicy: readonly (readonly [name: string, policy: Policy])[] = [
  ...Object.entries(policies),
  [plainRanks.name, plainRanks],
]

/** All except the default, which the suites ask most anyway. */
export const otherPolicies = everyPolicy.filter(([name]) => name !== 'balanced')
