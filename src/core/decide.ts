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
import { beyondLimit, type Loss } from './select/losses.ts'
import { type Need, select } from './select/select.ts'
import type { SignalContext } from './signals/signal.ts'
import { backgroundOf, meaningWeight } from './signals/meaning.ts'

/** Everything but the time it took, which only the caller knows; the ledger still packed. */
export type Decision = Omit<RecallResult, 'tookMs' | 'facts' | 'ledger'> & { readonly ledger: PackedLedger }

/** One step: the answer, or what must be read into the facts before deciding again. */
export function decide(plan: QueryPlan, facts: Facts): Decision | Need {
  return deciding(plan, facts).next().value
}

/**
 * The same in as many steps as it takes: yields what it needs, goes on once that has been read into the facts, and
 * returns the answer that `decide` gives on the facts as they are then.
 */
export function* deciding(plan: QueryPlan, facts: Facts): Generator<Need, Decision, void> {
  const context = contextOf(plan, facts)
  const { selected, collapsed, losses, bounds } = yield* select(plan, facts, context)
  const cosines = rowsForRanks(facts, selected)
  if (cosines.length > 0) {
    yield { need: { records: [], cosines } }
    bounds.refresh(cosines)
  }
  const evidence = evidenceOf(facts, selected, plan.policy.evidence)
  const enough = strengthOrder[evidence.strength] >= strengthOrder[plan.query.minEvidence ?? 'none']
  const ranks = ranksOf(facts, selected)
  const hits = (enough ? selected : []).map((entry, i) =>
    presentHit(plan, facts, context, entry, collapsed.get(entry.row) ?? [], ranks[i] ?? {}),
  )
  const withheld = (enough ? [] : selected).map(
    ({ row, score }): Loss => ({ row, score, reason: `evidence is ${evidence.strength}`, stage: 'evidence' }),
  )
  const beyond = beyondLimit(plan, facts, bounds, [...selected, ...losses])
  const ledger = packLedger(facts, [...withheld, ...losses], beyond, plan.query.explain === true)
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
