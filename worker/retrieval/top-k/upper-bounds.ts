/**
 * Upper bounds of convex scores, record by record, for all records about which more is known than a cosine: those with a word of the
 * query, in a time that it names, of a preferred field, or with reasons or files of known state. For all others the cosine is the bound.
 */
import { kthLargest } from '../../../src/core/collections/select-top.ts'
import { textAmount, vectorAmount } from '../../../src/core/fusion/convex-ceiling.ts'
import type { Facts } from '../../../src/core/model/facts.ts'
import type { ConvexPolicy } from '../../../src/core/model/policy.ts'
import { boundedReasons } from '../../../src/core/signals/reasons.ts'
import { recencyOf } from '../../../src/core/signals/recency.ts'
import { timeWeight } from '../../../src/core/signals/time.ts'
import type { OpenChannels } from '../channels/channels.ts'
import type { RecentRecords } from '../channels/recent.ts'
import type { CandidateBudget } from '../question/budget.ts'
import type { Keys } from '../question/key-parts.ts'
import type { Question } from '../question/question.ts'

export interface UpperBounds {
  readonly keys: Keys
  /** Of scores without neighbours, parallel to `keys`. */
  readonly bounds: Float64Array
  /** Of any records: of scores without neighbours, and of what they share with neighbours. */
  boundsOf(keys: Keys): { readonly own: Float64Array; readonly given: Float64Array }
  /** Most that a cosine adds. */
  cosine(cosine: number): number
  /** Most that signals add to a record that is not in `keys`, besides its cosine; it is part of `bounds`. */
  readonly unseen: number
}

export function upperBoundsOf(question: Question, policy: ConvexPolicy, channels: OpenChannels): UpperBounds {
  const { store, plan, parts } = question
  const { lexical, vector, times } = channels
  const facts: Pick<Facts, 'lexical' | 'vector'> = { lexical: lexical.facts, vector: vector.facts }
  const ofText = textAmount(policy, lexical.facts?.highest ?? 0)
  const text = (key: number) => ofText(lexical.score(key), lexical.pairs(key))
  const cosine = vectorAmount(policy, facts)
  const updatedAt = policy.recency > 0 ? store.numbers('updatedAt') : null
  const time = timeBonus(question, policy, channels)
  const unseen = ofAnyRecord(question, policy)
  const bonuses = bonusesOf(question, policy)
  const bonus = (key: number) => (bonuses.size === 0 ? 0 : (bonuses.get(key) ?? 0)) + time(key)
  const keys = collect()
  const uppers = vector.upperOf(keys)
  const bounds = new Float64Array(keys.length)
  for (let i = 0; i < keys.length; i++) bounds[i] = boundOf(keys[i]!, uppers[i]!)
  return { keys, bounds, boundsOf, cosine, unseen }

  function boundsOf(some: Keys): { readonly own: Float64Array; readonly given: Float64Array } {
    const own = vector.upperOf(some)
    const given = new Float64Array(some.length)
    for (let i = 0; i < some.length; i++) {
      const key = some[i]!
      given[i] = text(key) + cosine(own[i]!)
      own[i] = boundOf(key, own[i]!)
    }
    return { own, given }
  }

  function boundOf(key: number, upper: number): number {
    const sum = text(key) + cosine(upper) + unseen + bonus(key)
    // `unseen` has the most that recency adds.
    return updatedAt === null ? sum : sum - policy.recency * (1 - recencyOf(updatedAt[key]!, policy, plan.now))
  }

  /** Filtered records are left out: they are not selected, and share nothing. */
  function collect(): Keys {
    const { filtered } = parts
    const ofTimes = question.windows?.touched ?? []
    if (bonuses.size === 0 && ofTimes.length === 0 && filtered.size === 0) return lexical.matches
    const isEligible = (key: number) => filtered.size === 0 || !filtered.has(key)
    const all: number[] = []
    for (const key of lexical.matches) if (isEligible(key)) all.push(key)
    const isNew = (key: number) => lexical.matched(key) === 0 && isEligible(key)
    for (const key of ofTimes) if (isNew(key) && (plan.listing || vector.has(key) || times.has(key))) all.push(key)
    for (const key of bonuses.keys()) {
      if (!question.isInScope(key) || !isNew(key) || time(key) > 0) continue
      if (plan.listing || vector.has(key)) all.push(key)
    }
    return all
  }
}

/** What recency and learned data add to any record at most. */
function ofAnyRecord({ store }: Question, { recency, learned }: ConvexPolicy): number {
  return (
    Math.max(0, recency) +
    (store.unusual('confidence') === null ? 0 : learned.confidence) +
    (store.unusual('accesses') === null ? 0 : learned.access)
  )
}

/** What a time that the query names adds to a record. */
function timeBonus(
  { store, scope, windows, ofTimes }: Question,
  policy: ConvexPolicy,
  { lexical, times }: OpenChannels,
): (key: number) => number {
  if (windows === null) return () => 0
  const channels = (times.plan === null ? {} : { times: times.plan }) as Facts['channels']
  const weight = timeWeight(policy, {
    ...(ofTimes === null ? {} : { ofTimes }),
    scopeRecords: store.statistics(scope).records,
    lexical: lexical.facts,
    channels,
  })
  return (key) => Math.max(0, weight * windows.of(key).share)
}

/** What signals that few records have add to each, besides words. */
function bonusesOf({ store, plan, preferences }: Question, policy: ConvexPolicy) {
  const bonuses = new Map<number, number>()
  const add = (key: number, amount: number) => {
    if (amount > 0) bonuses.set(key, (bonuses.get(key) ?? 0) + amount)
  }
  for (const field of ['project', 'kind', 'topic'] as const)
    for (const key of preferences?.[field]?.keys ?? []) add(key, policy.prefer[field])
  if (plan.needs.reasons) for (const [key, rows] of store.reasons()) add(key, boundedReasons(rows, policy))
  for (const [key, state] of store.freshness(policy.freshnessOf))
    if (state !== 'unknown' && state !== 'unverifiable') add(key, policy.freshness[state])
  return bonuses
}

/**
 * The records with the largest bounds, with all that tie, and the largest bound of the others; −Infinity if there are none. In a listing, the
 * newest records are chosen instead.
 */
export function largestBounds(
  { keys, bounds, unseen }: UpperBounds,
  { best, minBound }: CandidateBudget,
  recent: RecentRecords,
): { readonly keys: readonly number[]; readonly ofOthers: number } {
  if (recent.plan.ran) {
    const others = bounds.reduce((most, bound) => Math.max(most, bound), unseen)
    return { keys: [], ofOthers: recent.isCut ? recent.nextAmount + others : Number.NEGATIVE_INFINITY }
  }
  const cut = Math.min(kthLargest(bounds, best), minBound)
  const chosen: number[] = []
  let ofOthers = Number.NEGATIVE_INFINITY
  for (let i = 0; i < keys.length; i++) {
    if (bounds[i]! >= cut) chosen.push(keys[i]!)
    else ofOthers = Math.max(ofOthers, bounds[i]!)
  }
  return { keys: chosen, ofOthers }
}
