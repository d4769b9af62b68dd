/** Unpacks answers of recall and assemble that come from the engine's thread: the ledger is unpacked when it is first read. */
import type { PackedPackage } from '../core/assemble/pack-context.ts'
import type { ContextPackage } from '../core/model/assemble.ts'
import type { RecallResult } from '../core/model/result.ts'
import { type PackedLedger, unpackLedger } from '../core/present/ledger.ts'

export type PackedResult = Omit<RecallResult, 'ledger'> & { readonly ledger: PackedLedger | null }

/** Returns the answer with a ledger that is unpacked when it is first read. */
export function unpackResult(packed: PackedResult): RecallResult
export function unpackResult(packed: PackedPackage): ContextPackage
export function unpackResult(packed: PackedResult | PackedPackage): unknown {
  const { ledger: given } = packed
  if (given === null) return packed
  let ledger: readonly unknown[] | undefined
  return Object.defineProperty({ ...packed }, 'ledger', {
    enumerable: true,
    get: () => {
      ledger ??= unpackLedger<string>(given)
      return ledger
    },
  })
}
