/** A recall's answer as it crosses a thread: the ledger stays packed until somebody reads it. */
import type { Dropped, RecallResult } from '../core/model/result.ts'
import { type PackedLedger, unpackLedger } from '../core/present/ledger.ts'

export type PackedResult = Omit<RecallResult, 'ledger'> & { readonly ledger: PackedLedger }

/** The same answer with a ledger that is spelled out on first reading. */
export function unpackResult(packed: PackedResult): RecallResult {
  let ledger: readonly Dropped[] | undefined
  return Object.defineProperty({ ...packed } as unknown as RecallResult, 'ledger', {
    enumerable: true,
    get: () => {
      ledger ??= unpackLedger(packed.ledger)
      return ledger
    },
  })
}
