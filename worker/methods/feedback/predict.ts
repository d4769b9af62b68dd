/** predict: what a record is expected to bring. It waits for `resolvePrediction` or an outcome; a later one replaces it. */

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
  const spelled = canonicalJson(parsePrediction(expected, 'expected'))
  return learn(ports, now, (changes) => {
    changes.predict(key, spelled)
    changes.log('predict', id)
    return {}
  })
}
