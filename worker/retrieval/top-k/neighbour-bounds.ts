/**
 * Chooses the records with the largest upper bounds of scores with what neighbours in their session may add, and the neighbours on which
 * these scores depend. So a gathering of few candidates states the same scores as one of all records of the scope [F4].
 */
import { kthLargest } from '../../../src/core/collections/select-top.ts'
import { mostShares, withSlack } from '../../../src/core/fusion/convex-ceiling.ts'
import { receivedShare } from '../../../src/core/fusion/received-lengths.ts'
import type { ConvexPolicy } from '../../../src/core/model/policy.ts'
import type { SessionPlaces } from '../../store/port/columns.ts'
import type { CandidateBudget } from '../question/budget.ts'
import type { KeyRows } from '../question/key-rows.ts'
import type { UpperBounds } from './upper-bounds.ts'

export interface BestInSessions {
  /** The records with the largest bounds, and those that must be exact. */
  readonly contenders: ReadonlySet<number>
  /** Neighbours of contenders. */
  readonly givers: readonly number[]
  /** Upper bound of the scores of all other records; −Infinity if there are none. */
  readonly ofOthers: number
}

/** What is known of the records before any is a candidate. */
export interface KnownBounds {
  readonly upper: UpperBounds
  /** Further records that may have large bounds. */
  readonly further: readonly number[]
  /** Records of which more is known than `upper` says. */
  readonly rare: ReadonlyMap<number, OwnBound>
  /** Bound of the score without neighbours of a record that is neither one of `upper` nor `further`. */
  readonly nearest: number
  readonly sessions: SessionPlaces
  /** Whether a channel finds the record, and it is not filtered. */
  isEligible(key: number): boolean
  /** Records whose scores must be exact. */
  readonly exact: ReadonlySet<number>
  readonly rows: KeyRows
  readonly lastKey: number
}

export interface OwnBound {
  readonly own: number
  readonly given: number
}

export function bestInSessions(
  policy: ConvexPolicy,
  known: KnownBounds,
  { best, minBound, floor }: Pick<CandidateBudget, 'best' | 'minBound' | 'floor'>,
): BestInSessions {
  const { upper, further, nearest, exact, isEligible } = known
  const scoresAround = scoresOf(policy, known)
  const boundsOfFurther = upper.boundsOf(further).own
  const first = Math.min(kthLargest(upper.bounds, best), minBound)
  const ofFirst = scoresAround(largest(first).keys)
  const aim = Math.min(ofFirst.bounds.length > best ? kthLargest(ofFirst.bounds, best) : least(ofFirst.bounds), floor)
  // Where every bound is below this, neighbours do not lift a score to the aim.
  const total = mostShares(policy)
  const { keys, ofOthers } = largest(Math.min(first, aim / (1 + total)))
  const { keys: receivers, bounds: scores } = scoresAround(keys)
  const contenders = new Set([...exact].filter(isEligible))
  let score = ofOthers + total * Math.max(0, ofOthers)
  for (const [i, key] of receivers.entries()) {
    if (scores[i]! >= aim) contenders.add(key)
    else score = Math.max(score, scores[i]!)
  }
  const givers: number[] = []
  for (const key of contenders)
    eachNeighbour(policy, known.sessions, key, (neighbour) => {
      if (!contenders.has(neighbour) && isEligible(neighbour)) givers.push(neighbour)
    })
  return { contenders, givers, ofOthers: withSlack(score) }

  /** The records with a bound of at least `cut`, and the largest bound of the others. */
  function largest(cut: number): { readonly keys: readonly number[]; readonly ofOthers: number } {
    const chosen = [...known.rare.keys()]
    let most = nearest
    const choose = (key: number, bound: number) => {
      if (bound >= cut) chosen.push(key)
      else if (bound > most) most = bound
    }
    for (let i = 0; i < upper.keys.length; i++) choose(upper.keys[i]!, upper.bounds[i]!)
    for (let i = 0; i < further.length; i++) choose(further[i]!, boundsOfFurther[i]!)
    return { keys: chosen, ofOthers: most }
  }
}

/** The bounds, with neighbours, of records and of all that have one of them as a neighbour. */
export function scoresOf(
  policy: ConvexPolicy,
  { upper, rare, sessions, isEligible, rows, lastKey }: Omit<KnownBounds, 'exact'>,
) {
  const halfLength = policy.fusion.neighbours?.halfLength
  return (keys: readonly number[]) => {
    rows.start(lastKey)
    const addEligible = (key: number) => {
      if (rows.rowOf(key) === -1 && isEligible(key)) rows.add(key)
    }
    for (const key of keys) {
      addEligible(key)
      eachNeighbour(policy, sessions, key, addEligible)
    }
    const receivers = rows.candidates().keys
    for (const key of receivers) eachNeighbour(policy, sessions, key, rows.add)
    const around = rows.candidates().keys
    const { own, given } = upper.boundsOf(around)
    for (const [key, bound] of rare) {
      const row = rows.rowOf(key)
      if (row === -1) continue
      own[row] = bound.own
      given[row] = bound.given
    }
    const scores = new Float64Array(receivers.length)
    for (const [row, key] of receivers.entries()) {
      let sum = 0
      eachNeighbour(policy, sessions, key, (neighbour, share) => {
        sum += share * given[rows.rowOf(neighbour)]!
      })
      const kept = halfLength === undefined ? 1 : receivedShare(sessions.lengths[key] ?? 0, halfLength)
      scores[row] = own[row]! + kept * sum
    }
    return { keys: receivers, bounds: scores }
  }
}

/** The records that share with this one, each with its share, and those with which this one shares. */
function eachNeighbour(
  { fusion: { neighbours } }: ConvexPolicy,
  { groups, places, at }: SessionPlaces,
  key: number,
  visit: (neighbour: number, share: number) => void,
): void {
  const group = groups[key] ?? 0
  if (group === 0) return
  const { before = [], after = [] } = neighbours ?? {}
  const reach = Math.max(before.length, after.length)
  const place = places[key]!
  for (let away = 1; away <= reach; away++) {
    const earlier = at(group, place - away)
    const later = at(group, place + away)
    if (earlier !== undefined) visit(earlier, before[away - 1] ?? 0)
    if (later !== undefined) visit(later, after[away - 1] ?? 0)
  }
}

function least(values: Float64Array): number {
  return values.reduce((lowest, value) => Math.min(lowest, value), Number.POSITIVE_INFINITY)
}
