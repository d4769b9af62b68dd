/** Errors that the page and the engine both throw. */
import { RecallError, recallError } from './errors.ts'
import type { PutReceipt } from './receipts.ts'

export function closed(name: string): RecallError {
  return recallError('CLOSED', `The store ${JSON.stringify(name)} is closed`, {
    hint: 'Open it again with openRecall.',
  })
}

/** The error of a store that was closed by `lockNow`. */
export function lockedNow(name: string): RecallError {
  return recallError('LOCKED', `The store ${JSON.stringify(name)} was locked`, {
    hint: 'Open it again with openRecall and the option lock.',
  })
}

/** Copies an error, so that each caller gets its own stack. */
export function copyOf(error: RecallError): RecallError {
  return new RecallError(error.toDetails())
}

/** Throws the reason if the only record of a call was rejected. */
export function throwIfRejected({ records: [outcome] }: PutReceipt): void {
  if (outcome?.outcome !== 'rejected') return
  throw new RecallError({ code: 'INVALID_RECORD', message: '', ...outcome })
}
