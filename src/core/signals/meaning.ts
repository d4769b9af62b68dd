/**
 * How far the cosine of a record is above the query's background: v², with v = cosine − background, within 0..1.
 * Squaring emphasises a clear match over many vague ones. There is one weight per query: the vector channel counts for more
 * if its best hit is clearer than the lexical one's, in standard deviations from the mean.
 */
import type { LexicalFacts, VectorFacts } from '../model/facts.ts'
import type { MeaningTuning } from '../model/policy.ts'
import type { Signal } from './signal.ts'

export const meaning: Signal = {
  name: 'meaning',
  isOfQuestion: true,
  value({ background }, _row, cosine) {
    const above = cosine - background
    return above > 0 ? Math.min(1, above) * Math.min(1, above) : 0
  },
  weight: ({ meaningWeight }) => meaningWeight,
  reason: (value) => `close in meaning: ${Math.sqrt(value).toFixed(2)} above the background`,
}

/** Mean cosine over the scope, with a few added records of cosine 0. */
export function backgroundOf(vector: VectorFacts | null, { backgroundPrior }: MeaningTuning): number {
  return vector === null ? 0 : (vector.mean * vector.records) / (vector.records + backgroundPrior)
}

export function meaningWeight(lexical: LexicalFacts | null, vector: VectorFacts | null, tuning: MeaningTuning): number {
  if (vector === null || vector.records === 0) return 0
  const ratio =
    (tuning.peak * peakOf(vector, vectorVarianceFloor)) / (peakOf(lexical, lexicalVarianceFloor) + tuning.peakOffset)
  const [low, high] = tuning.clamp
  // The name of a space is free: `constructor` is possible, too.
  const trust = Object.hasOwn(tuning.trust, vector.space) ? tuning.trust[vector.space]! : 1
  // A name says exactly what is meant: records near in meaning have other names.
  const ofNames = 1 - (lexical?.namedShare ?? 0)
  return trust * tuning.weight * Math.min(high, Math.max(low, ratio)) * ofNames * ofNames
}

/** Floors that avoid a division by zero in a scope of equal scores. */
const vectorVarianceFloor = 1e-12
const lexicalVarianceFloor = 1e-9

/** The distance of the best score from the mean, in standard deviations; 0 without a match. */
function peakOf(
  spread: { readonly mean: number; readonly deviation: number; readonly best: number } | null,
  floor: number,
): number {
  if (spread === null || spread.best === 0) return 0
  return (spread.best - spread.mean) / Math.sqrt(Math.max(floor, spread.deviation * spread.deviation))
}
