/**
 * Selects the records that surface unasked: those that cycles and pressure make due now, or those with a high cyclic score, as
 * the policy says. Between two due times the score of a record is below the threshold.
 */
import { cyclicScore, dueScore } from '../learning/cyclic-score.ts'
import type { PackageLedgerEntry } from '../model/assemble.ts'
import type { DueFacts } from '../model/facts.ts'
import type { AssemblyRules } from '../model/policy.ts'
import { tuning } from '../model/tuning.ts'
import { compareRanked } from '../order/order.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'

/** A record of the scope with cycles or pressure. */
export interface CanSurface extends DueFacts {
  readonly id: string
  readonly importance: number
  readonly confidence: number
  /** When its decay clock was last set, ms. */
  readonly touchedAt: number
  readonly updatedAt: number
  /** Why it must not be selected; null if it may. */
  readonly closed: string | null
}

export interface Surfaced {
  readonly id: string
  readonly score: number
}

export interface SurfacingRules {
  readonly surfacing: AssemblyRules['surfacing']
  /** 0 or less: no threshold. */
  readonly threshold: number
  readonly most: number
  readonly nowMs: number
}

/** The highest scores first, in the order of answers [F3]; all others with the reason why they do not surface. */
export function surface(
  records: readonly CanSurface[],
  rules: SurfacingRules,
): { readonly surfaced: readonly Surfaced[]; readonly left: readonly PackageLedgerEntry[] } {
  const { threshold, most } = rules
  const left: PackageLedgerEntry[] = []
  const due: (Surfaced & { readonly at: number })[] = []
  // The input is in the order of insertion, which must not change the answer [D3].
  for (const record of records.toSorted((a, b) => compareCodePoints(b.id, a.id))) {
    const { id, closed } = record
    const score = scoreOf(record, rules)
    if (closed !== null) left.push({ id, reason: closed, stage: 'gate' })
    else if (threshold > 0 && score < threshold)
      left.push({ id, reason: `not due: below ${threshold}`, stage: 'surfacing' })
    else due.push({ id, score, at: record.updatedAt })
  }
  due.sort(compareRanked)
  for (const { id } of due.slice(most)) left.push({ id, reason: `beyond maxItems ${most}`, stage: 'items' })
  return { surfaced: due.slice(0, most).map(({ id, score }) => ({ id, score })), left }
}

function scoreOf(record: CanSurface, { surfacing, nowMs }: SurfacingRules): number {
  const { cycles, pressureRate, resolvedAt, touchedAt, importance, confidence } = record
  const lastResolvedMs = resolvedAt ?? Math.min(touchedAt, nowMs)
  const due = { cycles, pressureRate, nowMs, lastResolvedMs }
  if (surfacing === 'due') return dueScore(due)
  return cyclicScore({ ...due, importance, confidence, ageDays: (nowMs - touchedAt) / tuning.msPerDay })
}
