/**
 * Evidence: how strongly the store answers at all, from absolute measures of the best hit (share of the question's
 * words it holds, its cosine), never from ranks: the best of a thousand wrong answers is still wrong.
 */
import type { Facts } from '../fusion/facts.ts'
import type { EvidenceThresholds } from '../model/policy.ts'
import type { Evidence, EvidenceStrength } from '../model/result.ts'
import type { Ranked } from '../rank/order.ts'

export function evidenceOf(facts: Facts, selected: readonly Ranked[], thresholds: EvidenceThresholds): Evidence {
  const { candidates } = facts
  const first = selected[0]
  if (first === undefined) return { strength: 'none', coverage: 0, topCosine: topCosineOf(facts), gap: 0 }
  const coverage = candidates.coverage[first.row] as number
  const cosine = candidates.cosineLow[first.row] as number
  return {
    strength: facts.channels.recent.ran ? 'weak' : strengthOf(coverage, cosine, thresholds),
    coverage,
    topCosine: topCosineOf(facts),
    gap: first.score - (selected[1]?.score ?? 0),
  }
}

/** Numbers to compare strengths by. */
export const strengthOrder: Readonly<Record<EvidenceStrength, number>> = { none: 0, weak: 1, strong: 2 }

function strengthOf(coverage: number, cosine: number, thresholds: EvidenceThresholds): EvidenceStrength {
  const lexicalOnly = Number.isNaN(cosine)
  const measure = lexicalOnly ? coverage : coverage + cosine
  if (measure >= (lexicalOnly ? thresholds.strongLexical : thresholds.strong)) return 'strong'
  return measure >= (lexicalOnly ? thresholds.weakLexical : thresholds.weak) ? 'weak' : 'none'
}

/** The best cosine of any candidate: those that could hold it were read exactly. */
function topCosineOf({ candidates, vector }: Facts): number | null {
  if (vector === null) return null
  let best = Number.NEGATIVE_INFINITY
  for (let row = 0; row < candidates.length; row++) {
    if ((candidates.cosineLow[row] as number) > best) best = candidates.cosineLow[row] as number
  }
  return best === Number.NEGATIVE_INFINITY ? null : best
}
