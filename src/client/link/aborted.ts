/** The error of a call that its caller's signal ended. */
import { type RecallError, recallError } from '../../core/model/errors.ts'

export function aborted(): RecallError {
  return recallError('ABORTED', 'The signal aborted the call')
}
