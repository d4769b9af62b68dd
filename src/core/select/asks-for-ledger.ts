/** Says which queries get a ledger. */
import type { QueryPlan } from '../model/query-plan.ts'

/** Whether the query asks for every candidate that was not selected, with its reason. */
export function asksForLedger({ query: { ledger, explain, capture } }: Pick<QueryPlan, 'query'>): boolean {
  return ledger === true || explain === true || capture === true
}
