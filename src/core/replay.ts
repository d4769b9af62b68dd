/**
 * Replays a recall from its captured facts: without store or WASM, with the same bytes. A bug report becomes a fixture.
 */
import { decide } from './decide.ts'
import { recallError } from './model/errors.ts'
import type { Facts } from './model/facts.ts'
import type { QueryPlan } from './model/query-plan.ts'
import type { RecallResult, Receipt } from './model/result.ts'
import { unpackLedger } from './present/ledger.ts'

/** The `facts` in the result of `recall({ …, capture: true })`: plain data that can be cloned and stored. */
export interface CapturedFacts {
  readonly plan: QueryPlan
  readonly facts: Facts
}

/**
 * Decides again from captured facts. Throws `INVALID_ARGUMENT` if the result differs from the receipt: the facts belong to
 * another recall, or another version of Scrubjay decides differently.
 */
export function replay(receipt: Receipt, captured: CapturedFacts): Omit<RecallResult, 'tookMs'> {
  const decision = decide(captured.plan, captured.facts)
  if ('need' in decision) {
    throw recallError('INVALID_ARGUMENT', 'must be complete', {
      field: 'facts',
      hint: 'Pass the facts of a finished recall, unchanged.',
    })
  }
  if (decision.receipt.policyHash !== receipt.policyHash) {
    throw recallError('INVALID_ARGUMENT', 'must come from the policy that the receipt names', {
      field: 'facts',
      hint: 'Pass the facts captured with this receipt, unchanged.',
    })
  }
  if (decision.receipt.id !== receipt.id || decision.receipt.digest !== receipt.digest) {
    throw recallError('INVALID_ARGUMENT', `must give the selection ${receipt.id}, but give ${decision.receipt.id}`, {
      field: 'facts',
      hint: 'Pass the facts captured with this receipt. Replay with the version of Scrubjay that made it.',
    })
  }
  return { ...decision, ledger: decision.ledger === null ? null : unpackLedger(decision.ledger) }
}
