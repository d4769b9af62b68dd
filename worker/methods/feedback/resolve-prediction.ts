/** resolvePrediction: compares the open prediction of a record with the actual result. A large error lowers the record's confidence. */

import { parsePrediction } from '../../../src/core/evidence/parse-prediction.ts'
import { type Prediction, predictionError } from '../../../src/core/evidence/prediction-error.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import type { ResolvedPrediction } from '../../../src/core/model/learned.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { learn, storedKey } from '../common/learn.ts'
import type { Ports } from '../common/ports.ts'

export interface ResolveRequest {
  readonly id: string
  readonly actual: Prediction
}

export async function resolvePrediction(
  ports: Ports,
  { id, actual: input }: ResolveRequest,
  now: number,
): Promise<ResolvedPrediction> {
  const key = storedKey(ports.store, id)
  const actual = parsePrediction(input, 'actual')
  return learn(ports, now, (changes) => {
    const open = changes.openPrediction(key)
    if (open === undefined)
      throw recallError('INVALID_ARGUMENT', 'must name a record with an open prediction', {
        field: 'id',
        value: id,
        hint: 'Call predict first. A prediction can be resolved once; an outcome resolves it, too.',
      })
    const error = predictionError(JSON.parse(open.expected) as Prediction, actual)
    changes.resolvePrediction(key, canonicalJson(actual), error)
    changes.log('resolve', id, { error })
    if (error <= tuning.surprisingError) return { error, confidence: changes.stateOf(key).confidence.confidence }
    const effect = { kind: 'signal', signal: tuning.surpriseSignal, rule: ports.policy.confidenceRule } as const
    const { confidence, evidence } = changes.report(key, [{ effect }]).confidence
    changes.log('confidence', id, { confidence, evidence })
    return { error, confidence }
  })
}
