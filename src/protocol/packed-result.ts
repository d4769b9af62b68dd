/** A recall's answer as it crosses a thread: the ledger stays packed until somebody reads it. */
import type { PackedPackage } from '../core/assemble/pack-context.ts'
import type { ContextPackage } from '../core/model/assemble.ts'
import type { RecallResult } from '../core/model/result.ts'
import { type PackedLedger, unpackLedger } from '../core/present/ledger.ts'

export type PackedResult = Omit<RecallResult, 'ledger'> & { readonly ledger: PackedLedger }

/** The same answer with a ledger that is spelled out on first reading. */
export function unpackResult(packed: PackedResult): RecallResult
export function unpackResult(packed: PackedPackage): ContextPackage
export function unpackResult(packed: PackedResult | PackedPackage): unknown {
  let ledger: readonly unknown[] | undefined
  return Object.defineProperty({ ...packed }, 'ledger', {
    enumerable: true,
    get: () => {
      ledger ??= unpackLedger<string>(packed.ledger)
      return ledger
    },
  })
}
