/**
 * Computes how far a retrieval can be trusted: whether the store knows the cues (feeling of knowing), and how certain, even
 * and stale the selected records are. Uses no model.
 */
import { checkNumber } from '../learning/check-number.ts'
import type { CueQuality, RetrievalQuality } from '../model/assemble.ts'
import { tuning } from '../model/tuning.ts'

export interface QualityFacts {
  /** Whether the store might contain each cue, by its label; null if unknown. */
  readonly cues: Readonly<Record<string, boolean | null>>
  /** Decayed composite score of each candidate, before any cut. */
  readonly candidates: readonly number[]
  readonly selected: readonly SelectedFacts[]
  /** Most records that may be selected. */
  readonly maxItems: number
  readonly surfacingThreshold: number
}

export interface SelectedFacts {
  /** 0..1. */
  readonly confidence: number
  /** Its composite and its decayed score; null without score weights. */
  readonly scores: { readonly composite: number; readonly decayed: number } | null
}

/** The quality of an empty retrieval. */
export const noQuality: RetrievalQuality = Object.freeze({
  fok: 0,
  avgConfidence: 0,
  scoreSpread: 0,
  stalenessRatio: 0,
  scoreDistribution: Object.freeze([]),
  perCue: Object.freeze({}),
})

/** The measures of a retrieval (Popoto's formulas; docs/spec/contexts.md#quality). Throws `INVALID_ARGUMENT` for bounds that are not numbers. */
export function retrievalQuality(facts: QualityFacts): RetrievalQuality {
  const { cues, selected, surfacingThreshold } = facts
  checkNumber('maxItems', facts.maxItems, 0)
  checkNumber('surfacingThreshold', surfacingThreshold)
  const perCue = Object.entries(cues).map(([label, mightExist]) => [label, cueQuality(mightExist, facts)] as const)
  const scored = selected.flatMap(({ scores }) => (scores === null ? [] : [scores]))
  const distribution = scored.map(({ composite }) => composite)
  return {
    fok: perCue.length === 0 ? 0 : meanOf(perCue.map(([, { fok }]) => fok)),
    avgConfidence: selected.length === 0 ? 1 : meanOf(selected.map(({ confidence }) => confidence)),
    scoreSpread: spreadOf(distribution),
    stalenessRatio: shareOf(scored, ({ decayed }) => decayed < surfacingThreshold),
    scoreDistribution: distribution,
    perCue: Object.fromEntries(perCue),
  }
}

function cueQuality(
  mightExist: boolean | null,
  { candidates, maxItems, surfacingThreshold }: QualityFacts,
): CueQuality {
  const most = Math.max(maxItems, 1)
  const familiarity = mightExist === null ? 0.5 : mightExist ? 1 : 0
  const partialRetrieval = Math.min(candidates.length, most) / most
  const subthreshold = shareOf(candidates, (score) => score > 0 && score < surfacingThreshold)
  const { fok } = tuning
  return {
    fok: fok.familiarity * familiarity + fok.partialRetrieval * partialRetrieval + fok.subthreshold * subthreshold,
    familiarity,
    partialRetrieval,
    subthreshold,
  }
}

function spreadOf(scores: readonly number[]): number {
  if (scores.length === 0) return 0
  const mean = meanOf(scores)
  if (Math.abs(mean) < tuning.flatMean) return 0
  return Math.sqrt(meanOf(scores.map((score) => (score - mean) * (score - mean)))) / mean
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

function shareOf<T>(all: readonly T[], holds: (one: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(holds).length / all.length
}
