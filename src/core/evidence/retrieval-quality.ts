/**
 * How far a retrieval is to be trusted, from plain measures of it: whether the store seems to know the cues at all
 * (feeling of knowing), how sure, how even and how stale what was selected is. Nothing is asked of a model.
 */
import { checkNumber } from '../learning/check-number.ts'
import type { CueQuality, RetrievalQuality } from '../model/assemble.ts'
import { tuning } from '../model/tuning.ts'

export interface QualityFacts {
  /** Whether the store might know each cue, by its label; null: not known. */
  readonly cues: Readonly<Record<string, boolean | null>>
  /** Decayed composite score of each candidate, before any cut. */
  readonly candidates: readonly number[]
  readonly selected: readonly SelectedFacts[]
  /** The most that may be selected. */
  readonly maxItems: number
  readonly surfacingThreshold: number
}

export interface SelectedFacts {
  /** 0..1. */
  readonly confidence: number
  /** Its composite score, and its decayed score; null where nobody said how to score. */
  readonly scores: { readonly composite: number; readonly decayed: number } | null
}

/** Of nothing at all. */
export const noQuality: RetrievalQuality = Object.freeze({
  fok: 0,
  avgConfidence: 0,
  scoreSpread: 0,
  stalenessRatio: 0,
  scoreDistribution: Object.freeze([]),
  perCue: Object.freeze({}),
})

/** The measures of a retrieval (Popoto's formulas; docs/spec.md#quality). Throws `INVALID_ARGUMENT` for bounds that are no numbers. */
export function retrievalQuality(facts: QualityFacts): RetrievalQuality {
  const { cues, selected, surfacingThreshold } = facts
  checkNumber('maxItems', facts.maxItems, 0)
  checkNumber('surfacingThreshold', surfacingThreshold)
  const perCue = Object.entries(cues).map(([label, known]) => [label, cueQuality(known, facts)] as const)
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

function cueQuality(known: boolean | null, { candidates, maxItems, surfacingThreshold }: QualityFacts): CueQuality {
  const most = Math.max(maxItems, 1)
  const familiarity = known === null ? 0.5 : known ? 1 : 0
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
