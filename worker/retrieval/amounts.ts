/**
 * Bounds what a convex score can be, record by record, for all records about which more is known than a cosine: those with a word of the
 * query, in a time that it names, of a preferred field, or with reasons or files of known state. For all others the cosine is the bound.
 */
import { holdsKey } from '../../src/core/collections/key-set.ts'
import { kthLargest } from '../../src/core/collections/select-top.ts'
import { textAmount, vectorAmount } from '../../src/core/fusion/convex-ceiling.ts'
import type { Facts } from '../../src/core/model/facts.ts'
import type { ConvexPolicy } from '../../src/core/model/policy.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import { boundedReasons } from '../../src/core/signals/reasons.ts'
import { recencyOf } from '../../src/core/signals/recency.ts'
import type { KeySet, Store } from '../store/port/store.ts'
import type { Preferences } from './anchor-channel.ts'
import type { EventWindows } from './event-windows.ts'
import type { Breadth } from './few/breadth.ts'
import type { KeyParts, Keys } from './key-parts.ts'
import type { LexicalHits } from './lexical-channel.ts'
import type { RecentHits } from './recent-channel.ts'
import type { VectorHits } from './vector-channel.ts'

export interface Amounts {
  readonly keys: Keys
  /** Upper bounds of scores without neighbours, parallel to `keys`. */
  readonly bounds: Float64Array
  /** Most that words add to the score of a record. */
  textOf(key: number): number
  /** Most that a cosine adds. */
  readonly ofCosine: (cosine: number) => number
  /** Most that signals add to a record that is not in `keys`, besides its cosine; it is part of `bounds`. */
  readonly rest: number
}

export interface Known {
  readonly lexical: LexicalHits
  readonly vector: VectorHits
  readonly windows: EventWindows | null
  readonly preferences: Preferences | null
  readonly scopeKeys: KeySet | null
  readonly parts: KeyParts
}

export function amountsOf(
  plan: QueryPlan,
  policy: ConvexPolicy,
  store: Store,
  { lexical, vector, windows, preferences, scopeKeys, parts }: Known,
): Amounts {
  const facts: Pick<Facts, 'lexical' | 'vector'> = { lexical: lexical.facts, vector: vector.facts }
  const ofText = textAmount(policy, lexical.facts?.highest ?? 0)
  const ofCosine = vectorAmount(policy, facts)
  const reasons = store.reasons()
  const freshness = store.freshness(policy.freshnessOf)
  const preferred = preferredFields(policy, preferences)
  const time = windows === null ? 0 : (policy.fusion.time ?? 0)
  const updatedAt = policy.recency > 0 ? store.numbers('updatedAt') : null
  const { learned } = policy
  const ofAny =
    Math.max(0, policy.recency) +
    (store.unusual('confidence') === null ? 0 : learned.confidence) +
    (store.unusual('accesses') === null ? 0 : learned.access)
  const textOf = (key: number) => ofText(lexical.score(key), lexical.pairs(key))
  // A time that most records are of is not a bonus of few: every bound has it.
  const isWide = time > 0 && windows!.touched.length * 2 > (scopeKeys ?? store.everyKey()).keys.length
  const rest = ofAny + (isWide ? time : 0)
  const bonuses = bonusesByKey()
  const keys = collect()
  const uppers = vector.upperOf(keys)
  const bounds = new Float64Array(keys.length)
  for (let i = 0; i < keys.length; i++) bounds[i] = boundOf(keys[i]!, uppers[i]!)
  return { keys, bounds, textOf, ofCosine, rest }

  /** What signals that few records have add to each, besides words. */
  function bonusesByKey(): ReadonlyMap<number, number> {
    const amounts = new Map<number, number>()
    const add = (key: number, amount: number) => {
      if (amount > 0) amounts.set(key, (amounts.get(key) ?? 0) + amount)
    }
    for (const { preferredKeys, weight } of preferred) for (const key of preferredKeys.keys) add(key, weight)
    if (plan.needs.reasons) for (const [key, rows] of reasons) add(key, boundedReasons(rows, policy))
    for (const [key, state] of freshness)
      if (state !== 'unknown' && state !== 'unverifiable') add(key, policy.freshness[state])
    if (time > 0 && !isWide) for (const key of windows!.touched) add(key, time * windows!.of(key).share)
    return amounts
  }

  function boundOf(key: number, upper: number): number {
    const sum = textOf(key) + ofCosine(upper) + rest + (bonuses.size === 0 ? 0 : (bonuses.get(key) ?? 0))
    // `rest` has the most that recency adds.
    return updatedAt === null ? sum : sum - policy.recency * (1 - recencyOf(updatedAt[key]!, policy, plan.now))
  }

  /** Gated records are left out: they are not selected, and share nothing. */
  function collect(): Keys {
    const { closed } = parts
    if (bonuses.size === 0 && closed.size === 0) return lexical.matches
    const isOpen = (key: number) => closed.size === 0 || !closed.has(key)
    const all: number[] = []
    for (const key of lexical.matches) if (isOpen(key)) all.push(key)
    for (const key of bonuses.keys()) {
      const isIn = scopeKeys === null || holdsKey(scopeKeys, key)
      if (isIn && lexical.matched(key) === 0 && isOpen(key) && (plan.listing || vector.has(key))) all.push(key)
    }
    return all
  }
}

/**
 * The records with the largest bounds, with all that tie, and the largest bound of the others; −Infinity if there are none. In a listing, the
 * newest records are chosen instead.
 */
export function bestOf(
  { keys, bounds, rest }: Amounts,
  { best, least }: Breadth,
  recent: RecentHits,
): { readonly keys: readonly number[]; readonly most: number } {
  if (recent.plan.ran) {
    const others = bounds.reduce((most, bound) => Math.max(most, bound), rest)
    return { keys: [], most: recent.isCut ? recent.nextAmount + others : Number.NEGATIVE_INFINITY }
  }
  const cut = Math.min(kthLargest(bounds, best), least)
  const chosen: number[] = []
  let most = Number.NEGATIVE_INFINITY
  for (let i = 0; i < keys.length; i++) {
    if (bounds[i]! >= cut) chosen.push(keys[i]!)
    else most = Math.max(most, bounds[i]!)
  }
  return { keys: chosen, most }
}

function preferredFields(policy: ConvexPolicy, preferences: Preferences | null) {
  if (preferences === null) return []
  return (['project', 'kind', 'topic'] as const).flatMap((field) => {
    const preferredKeys = preferences[field]
    const weight = policy.prefer[field]
    return preferredKeys === null || weight <= 0 ? [] : [{ preferredKeys, weight }]
  })
}
