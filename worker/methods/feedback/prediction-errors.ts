/** predictionErrors: returns the errors of resolved predictions per day. */
import { summariseErrors } from '../../../src/core/learning/summarise-errors.ts'
import type { PredictionDay, PredictionFilter } from '../../../src/core/model/learned.ts'
import { parsePredictionFilter } from '../../../src/core/query/parse-feedback.ts'
import type { Store } from '../../store/port/store.ts'

export function predictionErrors(store: Store, filter: PredictionFilter): readonly PredictionDay[] {
  return summariseErrors(store.learning.predictionErrors(parsePredictionFilter(filter)))
}
