/**
 * The sentence the whole library is about: from facts, a query and a policy to what belongs in the answer, and why.
 * Pure. It either answers or names the rows whose records and exact cosines it still needs.
 */

import { evidenceOf, strengthOrder } from './evidence/evidence.ts'
import type { Facts, Need } from './model/facts.ts'
import type { QueryPlan } from './model/query-plan.ts'
import type { RecallResult, Stage } from './model/result.ts'
import type { Loss } from './order/loss.ts'
import { ranksOf, rowsForRanks } from './order/ranks.ts'
import { authorityContextOf } from './present/authority-context.ts'
import { type PackedLedger, packLedger } from './present/ledger.ts'
import { presentHit } from './present/present-hit.ts'
import { receiptOf } from './present/receipt.ts'
import { warningsOf } from './present/warnings.ts'
import { type Selection, select } from './select/select.ts'

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
export function* deciding(
  plan: QueryPlan,
  facts: Facts,
  /** Is shown the selection before it is presented: what `why` explains from. */
  tap?: (selection: Selection) => void,
): Generator<Need, Decision, void> {
  const selection = yield* select(plan, facts)
  tap?.(selection)
  const { selected, second, collapsed, losses, beyond, scoring } = selection
  const cosines = rowsForRanks(facts, selected)
  if (cosines.length > 0) {
    yield { need: { records: [], cosines } }
    // The ledger goes by them too, as it does where they were known from the start.
    scoring.bounds.refresh(cosines)
  }
  const evidence = evidenceOf(facts, selected[0], second, plan.policy.evidence, plan.typed)
  const enough = strengthOrder[evidence.strength] >= strengthOrder[plan.query.minEvidence ?? 'none']
  const ranks = ranksOf(facts, selected)
  const hits = (enough ? selected : []).map((entry, i) =>
    presentHit(plan, facts, scoring, entry, collapsed.get(entry.row) ?? [], {
      ...ranks[i],
      ...scoring.ranks?.(entry.row),
    }),
  )
  // An answer that is withheld is lost to that alone: without it a record would not have come by a larger limit.
  const isWithheld = !enough && selected.length > 0
  const withheld = { reason: `evidence is ${evidence.strength}`, stage: 'evidence' } as const
  const lost = isWithheld
    ? [
        ...selected.map(({ row, score }): Loss => ({ row, score, ...withheld })),
        ...losses.map((loss) => (isOwnFault(loss) ? loss : { ...loss, ...withheld })),
      ]
    : losses
  const further = isWithheld
    ? beyond().map((group) => (isOwnFault(group) ? group : { ...group, ...withheld }))
    : beyond()
  const ledger = packLedger(facts, lost, further, plan.query.explain === true)
  return {
    hits,
    evidence,
    plan: {
      channels: facts.channels,
      ...(facts.existence === null ? {} : { existence: facts.existence }),
      policy: `${plan.policy.name} v${plan.policy.version}`,
      scope: facts.scopeRecords,
      notes: [...plan.notes, ...facts.notes],
    },
    ledger,
    warnings: warningsOf(hits),
    authorityContext: authorityContextOf(hits, plan.authority),
    receipt: receiptOf(plan, facts.revision, hits, ledger.ids),
  }
}

/** Whether a record was kept out by what it is, and not by what came before it in the answer. */
function isOwnFault({ stage }: { readonly stage: Stage }): boolean {
  return stage === 'gate' || stage === 'candidates'
}
