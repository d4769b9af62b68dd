/**
 * How far a record's meaning stands above the query's background: v², v = cosine − background, within 0..1.
 * Squaring lets a clear match speak and a crowd of vague ones be quiet. The weight is one number per query: the vector
 * channel counts for more where its best hit stands out further than the lexical one's (in standard deviations).
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

/** Mean cosine over the scope, as if a few records with cosine 0 were among it. */
export function backgroundOf(vector: VectorFacts | null, { backgroundPrior }: MeaningTuning): number {
  return vector === null ? 0 : (vector.mean * vector.records) / (vector.records + backgroundPrior)
}

export function meaningWeight(lexical: LexicalFacts | null, vector: VectorFacts | null, tuning: MeaningTuning): number {
  if (vector === null || vector.records === 0) return 0
  const ratio =
    (tuning.peak * peakOf(vector, vectorVarianceFloor)) / (peakOf(lexical, lexicalVarianceFloor) + tuning.peakOffset)
  const [low, high] = tuning.clamp
  // An app names its space as it likes, `constructor` too.
  const trust = Object.hasOwn(tuning.trust, vector.space) ? tuning.trust[vector.space]! : 1
  return trust * tuning.weight * Math.min(high, Math.max(low, ratio))
}

/** Floors that keep a scope of equal scores from dividing by zero. */
const vectorVarianceFloor = 1e-12
const lexicalVarianceFloor = 1e-9

/** How many standard deviations the best score lies above the mean; 0 where nothing matched. */
function peakOf(
  spread: { readonly mean: number; readonly deviation: number; readonly best: number } | null,
  floor: number,
): number {
  if (spread === null || spread.best === 0) return 0
  return (spread.best - spread.mean) / Math.sqrt(Math.max(floor, spread.deviation * spread.deviation))
}
