/**
 * The sentence the whole library is about: from facts, a query and a policy to what belongs in the answer, and why.
 * Pure. It either answers or names the rows whose records and exact cosines it still needs.
 */
import type { Facts } from './fusion/facts.ts'
import type { RecallResult } from './model/result.ts'
import { packLedger, type PackedLedger } from './present/ledger.ts'
import { presentHit } from './present/present-hit.ts'
import { receiptOf } from './present/receipt.ts'
import { evidenceOf, strengthOrder } from './quality/evidence.ts'
import type { QueryPlan } from './query/plan-query.ts'
import { ranksOf, rowsForRanks } from './rank/ranks.ts'
import type { Loss } from './select/losses.ts'
import { type Need, select } from './select/select.ts'
import type { SignalContext } from './signals/signal.ts'
import { backgroundOf, meaningWeight } from './signals/meaning.ts'

/** Everything but the time it took, which only the caller knows; the ledger still packed. */
export type Decision = Omit<RecallResult, 'tookMs' | 'facts' | 'ledger'> & { readonly ledger: PackedLedger }

export function decide(plan: QueryPlan, facts: Facts): Decision | Need {
  const context = contextOf(plan, facts)
  const selection = select(plan, facts, context)
  if ('need' in selection) return selection

  const cosines = rowsForRanks(facts, selection.selected)
  if (cosines.length > 0) return { need: { records: [], cosines } }

  const evidence = evidenceOf(facts, selection.selected, plan.policy.evidence)
  const enough = strengthOrder[evidence.strength] >= strengthOrder[plan.query.minEvidence ?? 'none']
  const ranks = ranksOf(facts, selection.selected)
  const hits = (enough ? selection.selected : []).map((entry, i) =>
    presentHit(plan, facts, context, entry, selection.collapsed.get(entry.row) ?? [], ranks[i] ?? {}),
  )
  const withheld = (enough ? [] : selection.selected).map(
    ({ row, score }): Loss => ({ row, score, reason: `evidence is ${evidence.strength}`, stage: 'evidence' }),
  )
  const ledger = packLedger(facts, [...withheld, ...selection.losses], selection.beyond, plan.query.explain === true)
  return {
    hits,
    evidence,
    plan: {
      channels: facts.channels,
      policy: `${plan.policy.name} v${plan.policy.version}`,
      scope: facts.scopeRecords,
      notes: [...plan.notes, ...facts.notes],
    },
    ledger,
    warnings: [],
    authorityContext: null,
    receipt: receiptOf(plan, facts.revision, hits, ledger.ids),
  }
}

function contextOf(plan: QueryPlan, facts: Facts): SignalContext {
  const { fusion } = plan.policy
  return {
    fusion,
    candidates: facts.candidates,
    channels: facts.channels,
    background: backgroundOf(facts.vector, fusion.meaning),
    meaningWeight: meaningWeight(facts.lexical, facts.vector, fusion.meaning),
  }
}
