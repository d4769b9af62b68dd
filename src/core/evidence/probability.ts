/**
 * Turns the support of an evidence into a probability: a logistic curve for each mix of channels, fitted to questions with and without an
 * answer (docs/quality.md#probability). The strength has the last word: reasons that change it keep the probability within its range.
 */
import type { EvidenceThresholds } from '../model/policy.ts'
import type { Evidence } from '../model/result.ts'
import { exp } from '../number/exp.ts'

/** The channels that the judgement used. */
export type Mix = keyof EvidenceThresholds

/** Of each mix the log odds at the least support for `weak`, and what is added up to the least for `strong`. */
export const curves: Readonly<Record<Mix, readonly [atWeak: number, toStrong: number]>> = {
  wordsAndMeaning: [-1.46, 1.96],
  wordsAlone: [-1.22, 1.71],
  meaningAlone: [-1.16, 1.61],
  acrossLanguages: [-0.34, 1.14],
}

/** `position`: of the support, 0 at the least for `weak`, 1 at the least for `strong`. Rounded to three decimals. */
export function probabilityOf(mix: Mix, position: number): number {
  const [atWeak, toStrong] = curves[mix]
  return Math.round(1000 / (1 + exp(-atWeak - toStrong * position))) / 1000
}

/** The evidence, its probability within the range of its strength. */
export function withinStrength(evidence: Evidence, mix: Mix): Evidence {
  const [weak, strong] = [probabilityOf(mix, 0), probabilityOf(mix, 1)]
  const ranges = { none: [0, weak], weak: [weak, strong], strong: [strong, 1] } as const
  const [low, high] = ranges[evidence.strength]
  return { ...evidence, probability: Math.min(high, Math.max(low, evidence.probability)) }
}
