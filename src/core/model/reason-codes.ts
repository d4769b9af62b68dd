/**
 * The closed registry of reason codes (docs/spec/records.md#reason-codes): why a record matters to a task, as the caller observed it.
 * `weight` is TokenPak's policy weight of the code; the weight of a reason row (0..1) multiplies it.
 */
import { deepFrozen } from './plain-object.ts'

export type ReasonCategory = 'task' | 'match' | 'recency' | 'authority' | 'shape' | 'exclude'

export interface ReasonCode {
  readonly category: ReasonCategory
  readonly weight: number
}

export const reasonCodes = /* @__PURE__ */ deepFrozen({
  current_task: { category: 'task', weight: 1 },
  mandatory: { category: 'task', weight: 1 },
  acceptance_criteria: { category: 'task', weight: 0.9 },
  user_pinned: { category: 'task', weight: 1 },
  agent_role_match: { category: 'match', weight: 0.6 },
  task_type_match: { category: 'match', weight: 0.6 },
  direct_file_match: { category: 'match', weight: 0.8 },
  direct_test_match: { category: 'match', weight: 0.8 },
  dependency_match: { category: 'match', weight: 0.5 },
  workflow_relevant: { category: 'match', weight: 0.6 },
  recently_modified: { category: 'recency', weight: 0.4 },
  recent_failure_link: { category: 'recency', weight: 0.9 },
  standard_applies: { category: 'authority', weight: 0.9 },
  governance_constraint: { category: 'authority', weight: 1 },
  risk_relevant: { category: 'authority', weight: 0.8 },
  prior_success_pattern: { category: 'authority', weight: 0.7 },
  compressed_summary_available: { category: 'shape', weight: 0.4 },
  large_raw_context: { category: 'shape', weight: 0.2 },
  available_on_request: { category: 'shape', weight: 0.3 },
  stable_context: { category: 'shape', weight: 0.5 },
  reusable_context: { category: 'shape', weight: 0.5 },
  cache_ordering_candidate: { category: 'shape', weight: 0.5 },
  low_task_match: { category: 'exclude', weight: -1 },
  unrelated_domain: { category: 'exclude', weight: -1 },
  stale_context: { category: 'exclude', weight: -1 },
  duplicate_context: { category: 'exclude', weight: -0.5 },
  excluded_by_budget: { category: 'exclude', weight: -0.5 },
  excluded_by_policy: { category: 'exclude', weight: -1 },
} satisfies Record<string, ReasonCode>)

export type ReasonCodeName = keyof typeof reasonCodes
