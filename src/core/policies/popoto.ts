/**
 * Popoto's memory (docs/spec/ranking.md#composite-fusion): ranks every record of the scope by its composite score and by links from the
 * first records. The words of the query only decide whether there is an answer at all. Under `assemble`, records surface by their
 * whole cyclic score, the first record that does not fit ends the selection, and records that were not selected lose confidence.
 */
import { deepFrozen } from '../model/plain-object.ts'
import type { CompositePolicy } from '../model/policy.ts'
import { balanced, lexicalOfRecords } from './balanced.ts'

const literal: CompositePolicy = {
  name: 'popoto',
  version: 1,
  defaultLimit: 10,
  lexical: lexicalOfRecords,
  // The score does not depend on the query, so any record of the scope may be first.
  depths: { lexical: 0, terms: 0, paths: 0, vector: 0, recent: 1_000_000, linked: 1_000_000, anchors: 0 },
  fusion: {
    kind: 'composite',
    weights: { decay: 0.6, cyclic: 0, confidence: 0.3, access: 0, priority: 0 },
    linked: 1,
  },
  gateStatus: false,
  gateCodes: [],
  riskGate: 'flag',
  filesCosine: 0.71875,
  freshnessOf: 'worst',
  collapse: 'none',
  keep: 'best',
  order: 'updatedAt',
  evidence: balanced.evidence,
  assembly: { surfacing: 'cyclic', overflow: 'stop', reserveProactive: 0, suppresses: true },
  confidenceRule: 'bounded',
}

export const popoto = /* @__PURE__ */ deepFrozen(literal)
