/**
 * second-brain's tag-scoped recall (docs/spec.md#product-fusion): every vector of the scope, its cosine faded by age (slower where it was
 * used, and by what kind of thing it is) and multiplied by importance. Words take over where there is no vector channel.
 */
import { deepFrozen } from '../model/deep-frozen.ts'
import type { ProductPolicy } from '../model/policy.ts'
import { balanced } from './balanced.ts'

const literal: ProductPolicy = {
  name: 'secondBrain',
  version: 1,
  defaultLimit: 10,
  lexical: balanced.lexical,
  // Importance may lift any record of the scope to the top.
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
