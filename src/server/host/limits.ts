/** Refuses what exceeds the limits of a store: calls a second, records. The size of requests is limited where they are read. */
import { recallError } from '../../core/model/errors.ts'
import type { ResolvedLimits } from '../common/options.ts'

/** A bucket of calls that fills with time. It holds the calls of two seconds, and at least one. */
export function createRate({ callsPerSecond }: ResolvedLimits, now: () => number = performance.now.bind(performance)) {
  const most = Math.max(1, 2 * callsPerSecond)
  let left = most
  let at = now()
  return {
    /** Throws STORE_BUSY if the bucket is empty. */
    take(): void {
      const time = now()
      left = Math.min(most, left + ((time - at) / 1_000) * callsPerSecond)
      at = time
      if (left < 1) {
        throw recallError('STORE_BUSY', `This store received more than ${callsPerSecond} calls in a second`, {
          hint: 'Try again in a second, or ask for less at once.',
        })
      }
      left -= 1
    },
  }
}

export type Rate = ReturnType<typeof createRate>

export function tooManyRecords({ records }: ResolvedLimits) {
  return recallError('QUOTA_EXCEEDED', `This store has its limit of ${records} records`, {
    hint: 'Forget records, or ask the operator of the server for a higher limit.',
  })
}

export function tooLarge({ requestBytes }: ResolvedLimits) {
  return recallError('INVALID_ARGUMENT', `must be at most ${requestBytes} bytes`, {
    field: 'request',
    hint: 'Send less at once.',
  })
}
