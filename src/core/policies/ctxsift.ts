/**
 * CtxSift's recall (docs/spec/ranking.md#staged-fusion): fuses six sources of words and substrings by rank, then that rank with the vector
 * rank; adds freshness and exact names, and rounds. The answer has few strong hits, or one weak hit, or none.
 */
import { deepFrozen } from '../model/plain-object.ts'
import type { StagedPolicy } from '../model/policy.ts'
import { balanced } from './balanced.ts'

const literal: StagedPolicy = {
  name: 'ctxsift',
  version: 1,
  defaultLimit: 10,
  lexical: {
    k1: 1.2,
    b: 0.75,
    lengthPrior: 0,
    titleBoost: 0,
    commonWordWeight: 1,
    questionWordWeight: 1,
    units: 'runs',
    statistics: 'fts5',
  },
  // Every match has a rank in its source, and the stages cut. Time ranks matches and finds none.
  depths: { lexical: 1_000_000, terms: 1_000_000, paths: 1_000_000, vector: 1000, recent: 0, linked: 0, anchors: 0 },
  fusion: {
    kind: 'staged',
    offset: 50,
    sources: { fts: 5, terms: 4.5, paths: 4, instruction: 3, body: 3, command: 2.5 },
    recency: { weight: 0.75, weightWhenAsked: 2, bonusWhenAsked: 0.18, bonusStep: 0.02 },
    agreement: { bonus: 0.06, most: 4 },
    stages: { lexical: 1, vector: 0.85 },
    // For unit vectors at distance 0.75.
    minCosine: 0.71875,
    candidates: 50,
    bonuses: { field: 0.02, mostFields: 5, filter: 0.09, file: 0.08, symbol: 0.07, test: 0.07 },
    scale: 1000,
  },
  fileBonusWithoutFilter: true,
  thresholds: { strong: 120, weak: 90, weakLimit: 1 },
  gateStatus: false,
  gateCodes: [],
  riskGate: 'flag',
  filesCosine: 0.71875,
  freshnessOf: 'first-stale',
  freshness: { fresh: 0.06, unknown: 0, unverifiable: -0.01, stale_changed: -0.07, stale_deleted: -0.12 },
  collapse: 'none',
  keep: 'best',
  order: 'createdAt',
  evidence: balanced.evidence,
  assembly: balanced.assembly,
  confidenceRule: 'bounded',
}

export const ctxsift = /* @__PURE__ */ deepFrozen(literal)
