/**
 * The default policy: absolute BM25, word pairs, and the square of the cosine above the background. Chosen by measurement on
 * public data sets (`npm run quality`, docs/quality.md). One literal for every store, with or without vectors. Adjacent turns of a
 * session share scores, mostly with later turns, because in a chat the answer usually comes after the words of the query.
 * Signals that do not depend on the query (preferences, reasons, freshness, learned data) have small weights, so that they cannot
 * outweigh relevance.
 */
import { deepFrozen } from '../model/plain-object.ts'
import type { ConvexPolicy } from '../model/policy.ts'
import { registeredWeights } from './registered-weights.ts'

const literal: ConvexPolicy = {
  name: 'balanced',
  version: 1,
  defaultLimit: 10,
  lexical: {
    k1: 1.6,
    b: 0.75,
    lengthPrior: 20,
    titleBoost: 2,
    commonWordWeight: 0.5,
    questionWordWeight: 0,
    units: 'words',
    statistics: 'scope',
    passages: { lengths: 8, most: 48, title: 1, rest: 0.4 },
  },
  depths: { lexical: 1000, terms: 1000, paths: 1000, vector: 1000, recent: 1000, linked: 1000, anchors: 0 },
  fusion: {
    kind: 'convex',
    lexical: 1,
    lexicalScale: 'absolute',
    meaning: {
      weight: 1.1,
      peak: 2.4,
      peakOffset: 2,
      clamp: [0.5, 2],
      backgroundPrior: 3,
      trust: { 'minilm-static-128': 0.6 },
    },
    cosine: 0.001,
    terms: 0.05,
    paths: 0.1,
    pairs: 0.15,
    time: 0.3,
    neighbours: { before: [0.3, 0.3, 0.1, 0.1], after: [0.2, 0.2, 0.1], halfLength: 150 },
  },
  prefer: { project: 0.1, kind: 0.05, topic: 0.05 },
  recency: 0,
  recencyWindowDays: 30,
  reasonWeights: registeredWeights,
  categoryFactor: { task: 0.03, match: 0.03, recency: 0.03, authority: 0.03, shape: 0.03, exclude: 0.03 },
  reasonBound: 0.06,
  learned: { confidence: 0.005, decay: 0.003, halfLifeDays: 30, access: 0.003, halfReads: 5, linked: 0.03 },
  gateStatus: true,
  gateCodes: ['low_task_match', 'unrelated_domain', 'stale_context', 'excluded_by_policy'],
  riskGate: 'flag',
  filesCosine: 0.71875,
  freshnessOf: 'worst',
  freshness: { fresh: 0.01, stale_changed: -0.03, stale_deleted: -0.05 },
  collapse: 'near',
  keep: 'best',
  order: 'updatedAt',
  assembly: { surfacing: 'due', overflow: 'skip', reserveProactive: 0, suppresses: false },
  confidenceRule: 'bounded',
  // Each `weak` keeps false abstention at about 5 % at most on the data sets on which it was set (`npm run quality abstention`). On
  // `beam-chat`, which came later, it is 9 to 12 %.
  evidence: {
    wordsAndMeaning: { words: 0.1, meaning: 0.9, length: 0, records: 0, weak: 0.895, strong: 1.375 },
    wordsAlone: { words: 0.15, meaning: 0, length: 0.055, records: 0.007, weak: 0.379, strong: 0.7 },
    meaningAlone: { words: 0, meaning: 1, length: 0, records: 0, weak: 0.28, strong: 0.55 },
    // Chosen on questions of `xquad-sent` in eight languages (docs/quality.md#evidence-across-languages).
    acrossLanguages: { words: 0, meaning: 5, length: 0, records: 0.2, weak: 0.5, strong: 1.5 },
  },
}

export const balanced = /* @__PURE__ */ deepFrozen(literal)

/** The same for policies that rank whole records. */
export const lexicalOfRecords = /* @__PURE__ */ deepFrozen(/* @__PURE__ */ withoutPassages(literal.lexical))

function withoutPassages({ passages: _passages, ...ofRecords }: ConvexPolicy['lexical']) {
  return ofRecords
}
