/** predict: stores the expected result of using a record. `resolvePrediction` or an outcome resolves it; a later prediction replaces it. */

import { parsePrediction } from '../../../src/core/evidence/parse-prediction.ts'
import type { Prediction } from '../../../src/core/evidence/prediction-error.ts'
import type { PredictionReceipt } from '../../../src/core/model/learned.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { learn, storedKey } from '../common/learn.ts'
import type { Ports } from '../common/ports.ts'

export interface PredictRequest {
  readonly id: string
  readonly expected: Prediction
}

export async function predict(ports: Ports, { id, expected }: PredictRequest, now: number): Promise<PredictionReceipt> {
  const key = storedKey(ports.store, id)
  const json = canonicalJson(parsePrediction(expected, 'expected'))
  return learn(ports, now, (changes) => {
    changes.predict(key, json)
    changes.log('predict', id)
    return {}
  })
}
