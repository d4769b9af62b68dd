/**
 * Evidence: how strongly the store answers at all, from absolute measures of the best hit (which of the question's words
 * it holds, how far the nearest meaning stands out), never from ranks: the best of a thousand wrong answers is still
 * wrong. What chance alone would bring is taken off by the scope's own statistics.
 */
import type { Facts } from '../fusion/facts.ts'
import type { EvidenceLine, EvidenceThresholds } from '../model/policy.ts'
import type { Evidence, EvidenceStrength } from '../model/result.ts'
import { log } from '../number/log.ts'
import type { Ranked } from '../rank/order.ts'

/** `first` and `second`: what is selected best, whatever the limit. */
export function evidenceOf(
  facts: Facts,
  first: Ranked | undefined,
  second: Ranked | undefined,
  thresholds: EvidenceThresholds,
): Evidence {
  const { candidates } = facts
  if (first === undefined) return { strength: 'none', coverage: 0, topCosine: topCosineOf(facts), gap: 0 }
  return {
    strength: facts.channels.recent.ran ? 'weak' : strengthOf(facts, first.row, thresholds),
    coverage: candidates.coverage[first.row] as number,
    topCosine: topCosineOf(facts),
    gap: first.score - (second?.score ?? 0),
  }
}

/** Numbers to compare strengths by. */
export const strengthOrder: Readonly<Record<EvidenceStrength, number>> = { none: 0, weak: 1, strong: 2 }

/** What speaks for an answer whose best hit is `row`, in the units of the line that fits the channels that ran. */
function supportOf(
  facts: Facts,
  row: number,
  thresholds: EvidenceThresholds,
): { readonly support: number; readonly line: EvidenceLine } {
  const { candidates, lexical, scopeRecords } = facts
  const line = lineOf(facts, thresholds)
  const support =
    Math.sqrt(candidates.coverage[row] as number) +
    line.words * log(1 + (candidates.matched[row] as number)) +
    line.meaning * distinctness(facts) -
    line.length * log(Math.max(1, lexical?.meanLength ?? 0)) -
    line.records * log(Math.max(1, scopeRecords))
  return { support, line }
}

function strengthOf(facts: Facts, row: number, thresholds: EvidenceThresholds): EvidenceStrength {
  const { support, line } = supportOf(facts, row, thresholds)
  if (support >= line.strong) return 'strong'
  return support >= line.weak ? 'weak' : 'none'
}

function lineOf({ lexical, vector }: Facts, thresholds: EvidenceThresholds): EvidenceLine {
  if (vector === null || vector.records === 0) return thresholds.wordsAlone
  return lexical === null ? thresholds.meaningAlone : thresholds.wordsAndMeaning
}

/**
 * The best cosine's share of the way from the query's background to identity, 0..1: comparable between embedding spaces
 * whose cosines crowd together and spaces where they spread. Records kept out of this query do not count.
 */
function distinctness({ vector }: Facts): number {
  if (vector === null) return 0
  const background = (vector.mean * vector.records) / (vector.records + backgroundPrior)
  // Also true where every record is the same: nothing stands out.
  if (!(vector.best > background)) return 0
  return Math.min(1, (vector.best - background) / (1 - background))
}

/** Records with cosine 0 that the background is mixed with, so that a tiny scope has one. */
const backgroundPrior = 3

/** The best cosine of any candidate: those that could hold it were read exactly. */
function topCosineOf({ candidates, vector }: Facts): number | null {
  if (vector === null) return null
  let best = Number.NEGATIVE_INFINITY
  for (let row = 0; row < candidates.length; row++) {
    if ((candidates.cosineLow[row] as number) > best) best = candidates.cosineLow[row] as number
  }
  return best === Number.NEGATIVE_INFINITY ? null : best
}
