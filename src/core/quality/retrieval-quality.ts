/**
 * How far a retrieval is to be trusted, from plain measures of it: whether the store seems to know the cues at all
 * (feeling of knowing), how sure, how even and how stale what was selected is. Nothing is asked of a model.
 */
import { checkNumber } from '../dynamics/check-number.ts'
import { tuning } from '../model/tuning.ts'

export interface RetrievalQuality {
  /** Feeling of knowing, 0..1: the mean over the cues; 0 without cues. */
  readonly fok: number
  /** Mean confidence of what was selected; 1 when nothing was. */
  readonly avgConfidence: number
  /** Population standard deviation of the selected scores over their mean; 0 where that mean is 0. */
  readonly scoreSpread: number
  /** Share of what was selected whose decayed score is below the threshold. */
  readonly stalenessRatio: number
  /** Scores of what was selected, in its order. */
  readonly scoreDistribution: readonly number[]
  /** What the feeling of knowing is made of, by the label of each cue. */
  readonly perCue: Readonly<Record<string, CueQuality>>
}

export interface CueQuality {
  /** 0.4 · familiarity + 0.4 · partialRetrieval + 0.2 · subthreshold. */
  readonly fok: number
  /** 1: the store might know the cue, 0: it surely does not, 0.5: nothing was there to say so. */
  readonly familiarity: number
  /** Candidates over the most that may be selected, at most 1. */
  readonly partialRetrieval: number
  /** Share of the candidates that are faint: a score above 0 and below the threshold. */
  readonly subthreshold: number
}

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

/** The measures of a retrieval (Popoto's formulas; SPEC §10). Throws `INVALID_ARGUMENT` for bounds that are no numbers. */
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
