/** why: runs a recall and explains what happened to one record in it. Writes nothing [D2]. */

import { holdsKey } from '../../../src/core/collections/key-set.ts'
import { type Loss, lossOf } from '../../../src/core/decide.ts'
import { explain, type RecordPosition } from '../../../src/core/explain.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import type { Explanation } from '../../../src/core/model/explanation.ts'
import type { Facts } from '../../../src/core/model/facts.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { ScoreBounds } from '../../../src/core/order/bounds.ts'
import { firstFold, foldsNearby } from '../../../src/core/select/first-fold.ts'
import { excludedReason, gateReason, outsideReason } from '../../../src/core/select/gate.ts'
import { belowLeast } from '../../../src/core/select/rejected-ranges.ts'
import type { Selection } from '../../../src/core/select/select.ts'
import { withoutThresholds } from '../../../src/core/select/thresholds.ts'
import type { Arguments, RequestContext } from '../../../src/protocol/engine-api.ts'
import type { Gathering } from '../../retrieval/gather.ts'
import { keysWithExcluded } from '../../retrieval/words/word-forms.ts'
import type { Store } from '../../store/port/store.ts'
import type { Ports } from '../common/ports.ts'
import { present, readAndFinish, selectAmong, selectFromAll, withoutLedger } from '../../retrieval/answer-first.ts'
import { planOf } from './recall.ts'

export async function why(
  ports: Ports,
  { query: input, id, withoutVector }: Arguments<'why'>,
  context: RequestContext,
): Promise<Explanation> {
  if (typeof id !== 'string')
    throw recallError('INVALID_ARGUMENT', 'must be a string', {
      field: 'id',
      value: id,
      hint: 'Give the id of a record.',
    })
  const asked = await planOf(ports, input, context, withoutVector)
  const inFull = withLedger(asked)
  return ports.store.reading(() => {
    const { gathering, selection } = selectFromAll(inFull, ports)
    const { plan } = gathering
    const decision = present({ ...gathering, plan: withoutLedger(plan) }, selection)
    const where = locate(plan, ports, gathering, selection, id)
    const { row } = where
    const dropped = row === null ? undefined : lossOf(plan, selection, decision.evidence, row)
    if (row !== null) readAround(gathering, row, selection)
    const shown = asScored(selection, row)
    const lost = dropped && row !== null ? firstLoss(plan, gathering, selection, row, dropped) : dropped
    return explain(id, plan, gathering.facts, decision, shown, where, lost)
  })
}

/** Also for the plan that is carried out where the times of the question distinguish no records. */
function withLedger(plan: QueryPlan): QueryPlan {
  const { query, withoutTimes } = plan
  return {
    ...plan,
    query: { ...query, ledger: true },
    ...(withoutTimes == null ? {} : { withoutTimes: withLedger(withoutTimes) }),
  }
}

function locate(
  plan: QueryPlan,
  { store }: Ports,
  gathering: Gathering,
  { filtered }: Selection,
  id: string,
): RecordPosition {
  const noPosition = { gate: null, row: null, ranks: {}, cosine: null }
  const key = store.keyOf(id)
  if (key === undefined) return { stored: false, outside: [], ...noPosition }
  const outside = Object.entries(plan.scope)
    .filter(([field, value]) => {
      const scopeKeys = value === undefined ? null : store.scopeKeys({ [field]: value })
      return scopeKeys !== null && !holdsKey(scopeKeys, key)
    })
    .map(([field]) => field)
  if (outside.length > 0) return { stored: true, outside, ...noPosition }
  const gate = gateOf(plan, store, key, id, filtered)
  const row = gathering.facts.candidates.ids.indexOf(id)
  if (row !== -1) return { stored: true, outside, gate, row, ranks: {}, cosine: null }
  return { stored: true, outside, gate, row: null, ...gathering.inspect(key) }
}

function gateOf(plan: QueryPlan, store: Store, key: number, id: string, filtered: boolean): string | null {
  if (plan.query.exclude?.includes(id) === true) return excludedReason
  const heldBack = keysWithExcluded(plan, store).get(key)
  if (heldBack !== undefined) return plan.without![heldBack - 1]!.reason
  const reason = gateReason(plan, store.gated().get(key))
  return reason ?? (filtered && !store.keysOfFiles(plan.files).has(key) ? outsideReason : null)
}

/** The selection with the score of the row as the answer knows it: finding the first loss reads more cosines. */
function asScored(selection: Selection, row: number | null): Selection {
  const { scoring } = selection
  const { bounds } = scoring
  const known = row === null || bounds.low[row] === Number.NEGATIVE_INFINITY ? [] : scoring.contributions(row)
  return {
    ...selection,
    scoring: { ...scoring, bounds: { ...bounds, low: bounds.low.slice() }, contributions: () => known },
  }
}

/**
 * The first reason why a record below the cut is not selected. The answer reads only records that could be in it. So its
 * ledger does not know whether a record further down would be a duplicate, would exceed its source's quota, or would
 * miss the minimum score.
 */
function firstLoss(
  plan: QueryPlan,
  gathering: Gathering,
  { scoring: { bounds } }: Selection,
  row: number,
  dropped: Loss,
): Loss {
  if (dropped.stage !== 'limit' && dropped.stage !== 'threshold') return dropped
  const score = bounds.low[row]!
  const folded = foldsNearby(plan) ? readAndFinish(gathering, firstFold(plan, gathering.facts, bounds, row)) : null
  if (folded !== null) return { reason: folded, stage: 'collapse' }
  const first = foldsNearby(plan) ? undefined : lossAmongAll(plan, gathering, bounds, row)
  if (first !== undefined) return { reason: first.reason, stage: first.stage }
  const { minScore } = plan.policy
  if (minScore === undefined || score >= minScore || dropped.stage === 'threshold') return dropped
  return { reason: belowLeast(minScore), stage: 'threshold' }
}

/** By a selection whose limit covers every record that could rank above the row. */
function lossAmongAll(plan: QueryPlan, gathering: Gathering, { low, high }: ScoreBounds, row: number) {
  const limit = high.reduce((count, most) => (most >= low[row]! ? count + 1 : count), 1)
  const { rejected } = selectAmong(gathering, { ...plan, offset: 0, limit, policy: withoutThresholds(plan.policy) })
  return rejected.find((loss) => loss.row === row && (loss.stage === 'collapse' || loss.stage === 'quota'))
}

/** Reads the exact cosine of the row, and of all rows whose bounds contain it. */
function readAround(gathering: Gathering, row: number, selection: Selection): void {
  const { cosineLow, cosineHigh, length } = gathering.facts.candidates as Facts['candidates']
  gathering.read({ records: [row], cosines: [row] })
  const cosine = cosineLow[row]!
  const near: number[] = []
  for (let other = 0; other < length; other++) {
    if (cosineLow[other]! <= cosine && cosineHigh[other]! >= cosine) near.push(other)
  }
  gathering.read({ records: [], cosines: near })
  selection.scoring.bounds.refresh([row])
}
