/**
 * Which records surface unasked: those whose cycles and pressure make them due now, or whose whole cyclic score is high
 * enough, as the policy says. Between two times of being due a record stays below the threshold and out of the way.
 */
import { cyclicScore, dueScore } from '../learning/cyclic-score.ts'
import type { LeftOut } from '../model/assemble.ts'
import type { DueFacts } from '../model/facts.ts'
import type { AssemblyRules } from '../model/policy.ts'
import { tuning } from '../model/tuning.ts'
import { compareRanked } from '../order/order.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'

/** A record with cycles or pressure, inside the scope. */
export interface CanSurface extends DueFacts {
  readonly id: string
  readonly importance: number
  readonly confidence: number
  /** When its decay clock was set, ms. */
  readonly touchedAt: number
  readonly updatedAt: number
  /** Why it must not be selected; null when nothing forbids it. */
  readonly closed: string | null
}

export interface Surfaced {
  readonly id: string
  readonly score: number
}

export interface SurfacingRules {
  readonly surfacing: AssemblyRules['surfacing']
  /** 0 or less: no minimum. */
  readonly threshold: number
  readonly most: number
  readonly nowMs: number
}

/** The highest scores first, by the one total order [F3]; everything else with the reason why it does not surface. */
export function surface(
  records: readonly CanSurface[],
  rules: SurfacingRules,
): { readonly surfaced: readonly Surfaced[]; readonly left: readonly LeftOut[] } {
  const { threshold, most } = rules
  const left: LeftOut[] = []
  const due: (Surfaced & { readonly at: number })[] = []
  // They come in the order in which they were stored, which must not show [D3].
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
