/** The error of a worker that does not start. */
import { type RecallError, recallError } from '../../core/model/errors.ts'

/** Creates the error for a worker that cannot be started: `INVALID_CONFIG` for `assets.worker`. */
export function notStarted(problem: string, worker = 'the engine’s worker'): RecallError {
  return recallError('INVALID_CONFIG', `must lead to ${worker}, which cannot be started: ${problem}`, {
    field: 'assets.worker',
    hint: 'Serve dist/worker of the package and allow it in worker-src, or give its URL as assets.worker.',
  })
}
