/** Groups the summands of a score for people: at most four bars, named in words. */
import type { Contribution } from '../../core/model/result.ts'

/** One bar. `amount` is the sum of its contributions; `share` is its part of all sizes, 0 to 1. */
export interface Bar {
  readonly name: BarName
  readonly amount: number
  readonly share: number
  /** The reasons of its contributions, largest first, without those that add less than 1 % of the whole. */
  readonly reasons: readonly string[]
}

export type BarName = 'your words' | 'meaning' | 'time' | 'nearby messages' | 'used before' | 'other'

/** Bars below this share of the whole are folded into `other`. */
const leastShare = 0.03

/** Reasons of contributions below this share of the whole say nothing to a reader. */
const leastReason = 0.01

const mostBars = 4

/**
 * Groups the contributions of a hit or an explanation: largest first, `other` last, at most four bars. Small groups are added to
 * `other`; a small `other` is left out. The list is empty without contributions.
 */
export function barsOf(contributions: readonly Contribution[]): readonly Bar[] {
  const whole = contributions.reduce((sum, { amount }) => sum + Math.abs(amount), 0)
  if (whole === 0) return []
  const groups = new Map<BarName, Contribution[]>()
  for (const one of contributions) {
    const name = nameOf(one.signal)
    groups.set(name, [...(groups.get(name) ?? []), one])
  }
  const bars = [...groups].map(([name, members]) => barOf(name, members, whole)).sort((a, b) => b.share - a.share)
  const named = bars.filter(({ name, share }) => name !== 'other' && share >= leastShare).slice(0, mostBars - 1)
  const rest = contributions.filter(({ signal }) => !named.some(({ name }) => name === nameOf(signal)))
  const other = barOf('other', rest, whole)
  return other.share >= leastShare ? [...named, other] : named
}

function barOf(name: BarName, members: readonly Contribution[], whole: number): Bar {
  const bySize = members.toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount))
  return {
    name,
    amount: members.reduce((sum, { amount }) => sum + amount, 0),
    share: members.reduce((sum, { amount }) => sum + Math.abs(amount), 0) / whole,
    reasons: bySize.filter(({ amount }) => Math.abs(amount) >= leastReason * whole).map(({ reason }) => reason),
  }
}

function nameOf(signal: string): BarName {
  return Object.hasOwn(names, signal) ? names[signal]! : 'other'
}

const names: Readonly<Record<string, BarName>> = {
  lexical: 'your words',
  terms: 'your words',
  paths: 'your words',
  pairs: 'your words',
  meaning: 'meaning',
  cosine: 'meaning',
  time: 'time',
  recent: 'time',
  recency: 'time',
  neighbours: 'nearby messages',
  confidence: 'used before',
  access: 'used before',
  linked: 'used before',
}
