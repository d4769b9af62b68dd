/**
 * TokenPak's deterministic selection (docs/spec/ranking.md#convex-fusion): the sum of saturated BM25, preferences, recency and reason
 * codes. Of equal contents the newest is kept. Uses no vectors, status or freshness.
 */
import { deepFrozen } from '../model/plain-object.ts'
import type { ConvexPolicy } from '../model/policy.ts'
import { balanced } from './balanced.ts'
import { registeredWeights } from './registered-weights.ts'

const literal: ConvexPolicy = {
  name: 'tokenpak',
  version: 1,
  defaultLimit: 25,
  lexical: {
    k1: 1.2,
    b: 0.75,
    lengthPrior: 0,
    titleBoost: 0,
    commonWordWeight: 1,
    questionWordWeight: 0,
    units: 'words',
    statistics: 'fts5',
  },
  // Far beyond the largest limit: reasons may make a record with a low lexical score the first.
  depths: { lexical: 10_000, terms: 0, paths: 0, vector: 0, recent: 1000, linked: 0, anchors: 10_000 },
  fusion: {
    kind: 'convex',
    lexical: 1,
    lexicalScale: 'saturated',
    meaning: { weight: 0, peak: 0, peakOffset: 1, clamp: [0, 0], backgroundPrior: 0, trust: {} },
    cosine: 0,
    terms: 0,
    paths: 0,
    // The formula uses time only as recency.
    recent: 0,
  },
  prefer: { project: 0.5, kind: 0.3, topic: 0 },
  recency: 1,
  recencyWindowDays: 30,
  reasonWeights: registeredWeights,
  categoryFactor: { task: 1, match: 1, recency: 1, authority: 1, shape: 1, exclude: 1 },
  reasonBound: 1e9,
  learned: { confidence: 0, decay: 0, halfLifeDays: 30, access: 0, halfReads: 5, linked: 0 },
  gateStatus: false,
  gateCodes: [],
  riskGate: 'flag',
  filesCosine: 0.71875,
  freshnessOf: 'worst',
  freshness: { fresh: 0, stale_changed: 0, stale_deleted: 0 },
  collapse: 'exact',
  keep: 'newest',
  order: 'updatedAt',
  evidence: balanced.evidence,
  assembly: balanced.assembly,
  confidenceRule: 'bounded',
}

export const tokenpak = /* @__PURE__ */ deepFrozen(literal)
