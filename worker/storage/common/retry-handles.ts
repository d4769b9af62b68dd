/**
 * Waits for file handles that another tab or a dying worker still holds. Decides which browser errors can pass by themselves, and
 * translates the others.
 */
import { RecallError, recallError } from '../../../src/core/model/errors.ts'

/** How long an opening waits for handles (ms): a killed worker frees them within milliseconds, a closing tab within seconds. */
export const handleDeadlineMs = 5_000

const firstPauseMs = 10
const longestPauseMs = 400

/** Tries until it works, fails permanently, or `endMs` (of `performance.now()`) is reached; then throws the last error. */
export async function retryHandles<T>(endMs: number, attempt: () => Promise<T>): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await attempt()
    } catch (error) {
      if (!mayPass(error) || performance.now() + pauseMs > endMs) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/**
 * Translates the error of an opening. `wasCreated`: the store is known to be here, so the error must not be STORAGE_UNAVAILABLE, after
 * which an empty store would be opened elsewhere.
 */
export function handleError(error: unknown, wasCreated: boolean): RecallError {
  if (isQuotaFailure(error)) return quotaError(error)
  if (error instanceof RecallError && error.code !== 'STORAGE_UNAVAILABLE') return error
  if (wasCreated || errorName(error) === 'NoModificationAllowedError') {
    return recallError('STORE_BUSY', `The files of this store cannot be opened now (${String(error)})`, {
      hint: 'Close the other tab or worker that has the store open, then try again. Nothing was changed.',
    })
  }
  if (error instanceof RecallError) return error
  return recallError('STORAGE_UNAVAILABLE', `OPFS cannot be used here (${String(error)})`, {
    hint: 'Use HTTPS and a window that is not private.',
  })
}

/** A short write counts, too: only a full disk causes it. */
export function isQuotaFailure(error: unknown): boolean {
  return errorName(error) === 'QuotaExceededError' || String(error).includes('Unknown write() failure')
}

export function quotaError(error: unknown): RecallError {
  return recallError('QUOTA_EXCEEDED', `The browser grants no more space (${String(error)})`, {
    hint: 'Forget records or free space, then try again. The stored data are intact.',
  })
}

/**
 * Handles held elsewhere (NoModificationAllowedError), errors that Safari reports at random when a worker starts (InvalidStateError,
 * UnknownError), and a folder that another tab is removing (NotFoundError).
 */
function mayPass(error: unknown): boolean {
  return ['NoModificationAllowedError', 'InvalidStateError', 'UnknownError', 'NotFoundError'].includes(errorName(error))
}

function errorName(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : 'unknown error'
}
