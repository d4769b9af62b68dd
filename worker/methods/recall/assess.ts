/** assess: measures how well the store would answer, with one small recall: no links, no due records, no writes [D2]. */

import { noQuality } from '../../../src/core/evidence/retrieval-quality.ts'
import type { RetrievalQuality } from '../../../src/core/model/assemble.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { parseAssessRequest } from '../../../src/core/query/parse-assemble.ts'
import type { RequestContext } from '../../../src/protocol/engine-api.ts'
import type { Ports } from '../common/ports.ts'
import { firstBudget, selectFirst } from '../../retrieval/answer-first.ts'
import { measure, mightExist } from './measure.ts'
import { planOf } from './recall.ts'

export async function assess(
  ports: Ports,
  input: unknown,
  context: RequestContext,
  withoutVector?: string,
): Promise<RetrievalQuality> {
  const { cues, query } = parseAssessRequest(input)
  const texts = Object.values(cues)
  if (texts.length === 0) return noQuality
  const plan = await planOf(ports, query, context, withoutVector)
  return ports.store.reading(() => {
    const shared = { cues, maxItems: tuning.maxItems, surfacingThreshold: tuning.surfacingThreshold }
    // No cue exists in the scope: there is nothing to recall, and 0.5 is the neutral confidence.
    if (texts.every((cue) => mightExist(ports, plan, cue) === false))
      return { ...measure(ports, plan, { ...shared, candidates: [], selected: [] }), avgConfidence: 0.5 }
    const { gathering, selection } = selectFirst(plan, ports, firstBudget(plan, ports))
    const probed = selection.selected.flatMap(({ row }) => gathering.facts.records.get(row) ?? [])
    return measure(ports, plan, { ...shared, candidates: probed, selected: probed })
  })
}
