/**
 * Orders the selected records for prompt caches. A provider caches the longest unchanged prefix, so records that are likely to
 * appear again come first, in an order that no query changes. Records about the current task come last.
 */
import type { OrderingHint } from '../model/assemble.ts'
import { type ReasonCodeName, reasonCodes } from '../model/reason-codes.ts'
import type { StoredRecord } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'

/** `records` in their order; `proactive`: ids that surfaced unasked, which concern the present. */
export function orderingHints(
  records: readonly StoredRecord[],
  proactive: ReadonlySet<string>,
  nowMs: number,
): readonly OrderingHint[] {
  const grouped = records.map((record) => ({ record, group: groupOf(record, proactive.has(record.id), nowMs) }))
  const of = (wanted: OrderingHint['group']) => grouped.filter(({ group }) => group === wanted)
  const stable = of('stable').sort(
    ({ record: a }, { record: b }) => a.createdAt - b.createdAt || compareCodePoints(a.id, b.id),
  )
  return [...stable, ...of('general'), ...of('task')].map(({ record: { id }, group }) => ({ id, group }))
}

/** Codes of records that serve many tasks. */
const stableCodes: ReadonlySet<string> = /* @__PURE__ */ new Set<ReasonCodeName>([
  'stable_context',
  'reusable_context',
  'cache_ordering_candidate',
  'standard_applies',
  'governance_constraint',
])

function groupOf({ reasons, updatedAt }: StoredRecord, isProactive: boolean, nowMs: number): OrderingHint['group'] {
  const ofTask = reasons.some(({ code }) => {
    const category = reasonCodes[code as ReasonCodeName]?.category
    return category === 'task' || category === 'recency'
  })
  if (isProactive || ofTask) return 'task'
  const isSettled = nowMs - updatedAt >= tuning.settledDays * tuning.msPerDay
  return isSettled || reasons.some(({ code }) => stableCodes.has(code)) ? 'stable' : 'general'
}
