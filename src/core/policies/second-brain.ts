/**
 * second-brain's tag-scoped recall (docs/spec/ranking.md#product-fusion): the cosine of every record of the scope, decayed by age (more
 * slowly for used records, and by tag), times importance. Without a vector channel the lexical score replaces the cosine.
 */
import { deepFrozen } from '../model/plain-object.ts'
import type { ProductPolicy } from '../model/policy.ts'
import { balanced, lexicalOfRecords } from './balanced.ts'

const literal: ProductPolicy = {
  name: 'secondBrain',
  version: 1,
  defaultLimit: 10,
  lexical: lexicalOfRecords,
  // Importance may make any record of the scope the first.
  depths: { lexical: 1000, terms: 0, paths: 0, vector: 1_000_000, recent: 1000, linked: 0, anchors: 0 },
  fusion: { kind: 'product' },
  decay: true,
  lifeDaysByTag: [
    ['task', 7],
    ['context', 180],
    ['work', 90],
  ],
  lifeDays: 30,
  gateStatus: false,
  gateCodes: [],
  riskGate: 'flag',
  filesCosine: 0.71875,
  freshnessOf: 'worst',
  collapse: 'none',
  keep: 'best',
  order: 'updatedAt',
  evidence: balanced.evidence,
  assembly: balanced.assembly,
  confidenceRule: 'bounded',
}

export const secondBrain = /* @__PURE__ */ deepFrozen(literal)
