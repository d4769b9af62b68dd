/** Measures retrieval quality: whether the store knows the cues, and the confidence, spread and staleness of the records. */

import { componentsOf } from '../../../src/core/evidence/composite-components.ts'
import { retrievalQuality } from '../../../src/core/evidence/retrieval-quality.ts'
import { compositeWeights } from '../../../src/core/fusion/composite.ts'
import { compositeScore } from '../../../src/core/learning/composite-score.ts'
import type { RetrievalQuality } from '../../../src/core/model/assemble.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { StoredRecord } from '../../../src/core/model/record.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { planQuery } from '../../../src/core/query/plan-query.ts'
import { existenceOf } from '../../retrieval/words/existence.ts'
import type { Ports } from '../common/ports.ts'

export interface Measured {
  readonly cues: Readonly<Record<string, string>>
  /** Before any cut. */
  readonly candidates: readonly StoredRecord[]
  readonly selected: readonly StoredRecord[]
  readonly maxItems: number
  readonly surfacingThreshold: number
}

export function measure(ports: Ports, plan: QueryPlan, measured: Measured): RetrievalQuality {
  const { store } = ports
  // A policy without weights for learned state is measured with those of Popoto.
  const weights = compositeWeights(plan.policy) ?? policies.popoto.fusion.weights
  const scoresOf = (record: StoredRecord) => {
    const components = componentsOf(record, plan.now, store.learning.stateOf(store.keyOf(record.id) ?? -1))
    return { composite: compositeScore(components, weights), decayed: components.decay }
  }
  return retrievalQuality({
    cues: Object.fromEntries(
      Object.entries(measured.cues).map(([label, cue]) => [label, mightExist(ports, plan, cue)]),
    ),
    candidates: measured.candidates.map((record) => scoresOf(record).composite),
    selected: measured.selected.map((record) => ({ confidence: record.confidence, scores: scoresOf(record) })),
    maxItems: measured.maxItems,
    surfacingThreshold: measured.surfacingThreshold,
  })
}

/** Whether the scope might have records for a cue. Null for a blank cue, and for policies that search substrings. */
export function mightExist({ store }: Ports, { policy, now, scope }: QueryPlan, cue: string): boolean | null {
  const plan = planQuery(
    { text: cue },
    { policy, stemmer: store.settings.stemmer, stopWords: store.forms.stopWords, now },
  )
  return existenceOf(plan, store, store.scopeKeys(scope))?.mightExist ?? null
}
