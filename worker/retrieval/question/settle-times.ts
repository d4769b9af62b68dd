/**
 * Settles what a question leaves open, by what the scope holds: "on 3 December" is the one that is meant first if any record is of it, else the
 * other one; "at 10:57" is the whole day if no record is of this minute; "1984" is a title if a record holds it.
 */
import { holdsKey } from '../../../src/core/collections/key-set.ts'
import type { QueryPlan, TimeSpan, TimeWindow } from '../../../src/core/model/query-plan.ts'
import { shareInside } from '../../../src/core/time/event-time.ts'
import type { KeySet, Store } from '../../store/port/store.ts'
import { isTermInScope } from '../words/term-postings.ts'

export function settleTimes(given: QueryPlan, store: Store, scope: KeySet | null): QueryPlan {
  const { times = [], asWords } = given
  const chosen = times.map(({ others = [], ...first }): TimeWindow => {
    if (others.length === 0) return first
    const held = [first, ...others].find((span) => holdsAny(store, scope ?? store.everyKey(), span))
    return { ...first, ...held }
  })
  const plan = chosen.every((window, i) => window.from === times[i]!.from && window.before === times[i]!.before)
    ? given
    : withTimes(given, times, chosen)
  const isHeld = asWords !== undefined && asWords.some((term) => isTermInScope(store, term, [], scope))
  return isHeld ? { ...plan, terms: asWords!, listing: false, heldAsWords: true } : plan
}

function holdsAny(store: Store, scope: KeySet, { from, before, local }: TimeSpan): boolean {
  const createdAt = store.numbers('createdAt')
  const events = store.eventTimes()
  const isIn = (at: number) => (from === null || at >= from) && (before === null || at < before)
  if (scope.keys.some((key) => isIn(createdAt[key]!) && events.get(key)?.[0]?.kind !== 'day')) return true
  for (const [key, own] of events)
    if (holdsKey(scope, key) && own.some((event) => shareInside(event, { from, before, local }) > 0)) return true
  return false
}

function withTimes(plan: QueryPlan, times: readonly TimeWindow[], chosen: readonly TimeWindow[]): QueryPlan {
  let at = 0
  const read = plan.read?.map((reading) => {
    if (reading.kind !== 'time') return reading
    const number = at++
    const { from, before } = chosen[number] ?? reading
    return times[number] === undefined ? reading : { ...reading, from, before }
  })
  const { withoutTimes } = plan
  return {
    ...plan,
    times: chosen,
    read,
    ...(withoutTimes == null ? {} : { withoutTimes: { ...withoutTimes, read } }),
  }
}
