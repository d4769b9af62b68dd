/**
 * The default policy: absolute BM25 plus the square of how far a meaning stands above its background. Chosen by measurement
 * on the sets of EVAL (see `npm run quality`); one literal for every store, with or without vectors.
 */
import type { Policy } from '../model/policy.ts'

const literal: Policy = {
  name: 'balanced',
  version: 1,
  defaultLimit: 10,
  lexical: { k1: 1.6, b: 0.75, lengthPrior: 20, titleBoost: 2, commonWordWeight: 0.5 },
  depths: { lexical: 1000, terms: 1000, paths: 1000, vector: 1000, recent: 1000 },
  fusion: {
    kind: 'convex',
    lexical: 1,
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
  },
  gateStatus: true,
  collapse: 'exact',
  order: 'updatedAt',
  // Each `weak` keeps false abstention at 5 % or less on every set (`npm run quality abstention`).
  evidence: {
    wordsAndMeaning: { words: 0.1, meaning: 0.9, length: 0, records: 0, weak: 0.895, strong: 1.375 },
    wordsAlone: { words: 0.15, meaning: 0, length: 0.055, records: 0.007, weak: 0.379, strong: 0.7 },
    meaningAlone: { words: 0, meaning: 1, length: 0, records: 0, weak: 0.28, strong: 0.55 },
  },
}

export const balanced = Object.freeze(literal)
