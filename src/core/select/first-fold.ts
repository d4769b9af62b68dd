/**
 * Decides into which better record a record far below the cut would be folded, if the limit reached that far. Walks only a stretch above the
 * record: from where no text before is so like one behind that both could be folded into one record, because earlier folds end there.
 */
import { kthLargest } from '../collections/select-top.ts'
import type { Facts, Need } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import { tuning } from '../model/tuning.ts'
import type { ScoreBounds } from '../order/bounds.ts'
import { compareRanked, rank, type Ranked } from '../order/order.ts'
import { type TextSignature, textSignature } from '../similarity/near-duplicate.ts'
import { cachedByRow, createNearCheck, textOfRow } from './near.ts'
import { quotaOf } from './quota.ts'

interface Stretch {
  readonly entries: readonly Ranked[]
  /** Whether no record ranks before it. */
  readonly isWhole: boolean
}

/** Whether folding depends only on records that rank near each other, and on copies: not under a quota, nor where the newest copy is kept. */
export function foldsNearby(plan: QueryPlan): boolean {
  return quotaOf(plan) === null && plan.policy.keep === 'best'
}

/** Why the record is folded, null if it is not. Yields the rows to read, and continues when they are in the facts. */
export function* firstFold(
  plan: QueryPlan,
  facts: Facts,
  bounds: ScoreBounds,
  row: number,
): Generator<Need, string | null, void> {
  const mode = plan.query.collapse ?? plan.policy.collapse
  const isOpen = (other: number) => bounds.low[other] !== Number.NEGATIVE_INFINITY && facts.unfound?.has(other) !== true
  if (mode === 'none' || !isOpen(row)) return null
  const { ids } = facts.candidates
  const near = createNearCheck(facts)
  /** Rows whose bounds are those of their exact cosines. */
  const fresh = new Set<number>()
  const signatureOf = cachedByRow((other) => textSignature(textOfRow(facts, other)))
  const tierOf = (other: number) => facts.records.get(other)?.authorityTier ?? null
  const areLike = (a: number, b: number) => tierOf(a) === tierOf(b) && canMeet(signatureOf(a), signatureOf(b))
  const keeper = yield* keeperOf(row)
  const into = mode === 'near' ? yield* nearAbove(keeper) : null
  if (into !== null) return `nearly the same text as ${ids[into]}`
  return keeper === row ? null : `same content as ${ids[keeper]}`

  /** Whether anything was read, or known and not yet in the bounds. */
  function* reading(rows: readonly number[]): Generator<Need, boolean, void> {
    const { cosineLow, cosineHigh } = facts.candidates
    const records = rows.filter((other) => !facts.records.has(other))
    const stale = [...new Set([...rows, ...rows.flatMap(bounds.dependsOn)])].filter((other) => !fresh.has(other))
    const cosines = stale.filter((other) => cosineLow[other]! < cosineHigh[other]!)
    if (records.length + cosines.length > 0) yield { need: { records, cosines } }
    bounds.refresh(stale)
    for (const other of stale) fresh.add(other)
    return records.length + stale.length > 0
  }

  /** The best copy of the same content and tier. */
  function* keeperOf(own: number): Generator<Need, number, void> {
    yield* reading([own])
    const copies = (facts.duplicates.get(own) ?? []).filter(isOpen)
    if (copies.length < 2) return own
    while (yield* reading(copies));
    const same = copies.filter((copy) => tierOf(copy) === tierOf(own))
    return same.map((copy) => rank(plan, facts, bounds, copy)).sort(compareRanked)[0]?.row ?? own
  }

  /** The records that rank directly before one, in their order, and the record itself: about so many, or all if they are fewer. */
  function* stretchTo(last: number, count: number): Generator<Need, Stretch, void> {
    for (;;) {
      const score = bounds.low[last]!
      const above = bounds.low.filter((low, other) => low >= score && isOpen(other)).map((low) => -low)
      const most = -kthLargest(above, count)
      const rows: number[] = []
      for (let other = 0; other < bounds.low.length; other++)
        if (bounds.high[other]! >= score && bounds.low[other]! <= most && isOpen(other)) rows.push(other)
      if (yield* reading(rows)) continue
      const ranked = rows.map((other) => rank(plan, facts, bounds, other)).sort(compareRanked)
      const entries = ranked.slice(0, ranked.findIndex((entry) => entry.row === last) + 1)
      return { entries, isWhole: most === Number.POSITIVE_INFINITY }
    }
  }

  /** The record near above that has nearly the same text; null without one. */
  function* nearAbove(last: number): Generator<Need, number | null, void> {
    for (let count = 2 * tuning.nearWindow; ; count *= 2) {
      const { entries, isWhole } = yield* stretchTo(last, count)
      const singles: number[] = []
      for (const entry of entries) if ((yield* keeperOf(entry.row)) === entry.row) singles.push(entry.row)
      let start = singles.length - 1
      while (start > 0 && !isCut(singles, start)) start--
      if (start >= tuning.nearWindow || isWhole) return pickOf(singles.slice(start))
    }
  }

  /** Whether no record before the place could have one at or behind it folded into what it is folded into. */
  function isCut(singles: readonly number[], place: number): boolean {
    for (let i = Math.max(0, place - tuning.nearWindow); i < place; i++)
      for (let j = place; j < singles.length && j - i <= tuning.nearWindow; j++)
        if (areLike(singles[i]!, singles[j]!)) return false
    return true
  }

  /** Into which of the records the last one is folded, as `collapse` walks them. */
  function pickOf(singles: readonly number[]): number | null {
    const picks: { readonly row: number; seen: number }[] = []
    let into: (typeof picks)[number] | undefined
    for (const [place, own] of singles.entries()) {
      into = picks.find((pick) => place - pick.seen <= tuning.nearWindow && near(pick.row, own))
      if (into === undefined) picks.push({ row: own, seen: place })
      else into.seen = place
    }
    return into?.row ?? null
  }
}

/**
 * Whether a text can exist of which both are near-duplicates. Such a text holds nine tenths of each, or is held by it, so at least 2 − 1/0.9 of
 * the words of the shorter one are in both.
 */
function canMeet(a: TextSignature, b: TextSignature): boolean {
  const [shorter, longer] = a.words.length <= b.words.length ? [a.words, b.words] : [b.words, a.words]
  if (shorter.length < leastLength * longer.length) return false
  const left = new Map<string, number>()
  for (const word of longer) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of shorter) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    shared++
  }
  return shared >= leastShared * shorter.length && a.claims === b.claims
}

const leastLength = 0.8
const leastShared = 0.88
