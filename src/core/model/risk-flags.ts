/** The closed registry of risk flags (docs/spec/records.md#risk-flags). The registry sets the severity; callers cannot. */
import { deepFrozen } from './plain-object.ts'
import type { RiskSeverity } from './record.ts'

export interface RiskFlag {
  readonly severity: RiskSeverity
}

export const riskFlags = /* @__PURE__ */ deepFrozen({
  mandatory_context_present: { severity: 'info' },
  cache_sensitive_ordering: { severity: 'info' },
  raw_logs_deferred: { severity: 'warn' },
  full_file_deferred: { severity: 'warn' },
  governance_applies: { severity: 'warn' },
  release_rule_applies: { severity: 'warn' },
  oss_pro_boundary_risk: { severity: 'warn' },
  network_or_egress_risk: { severity: 'warn' },
  large_context_reduction: { severity: 'warn' },
  low_confidence_plan: { severity: 'warn' },
  possible_context_miss: { severity: 'warn' },
  manual_review_recommended: { severity: 'warn' },
  mandatory_context_missing: { severity: 'block' },
} satisfies Record<string, RiskFlag>)

export type RiskFlagName = keyof typeof riskFlags
