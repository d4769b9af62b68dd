/** How much of each record's event time lies in the times that the query names. */
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import { type EventTime, shareInside } from '../../src/core/time/event-time.ts'
import type { Store } from '../store/port/store.ts'

export interface EventWindows {
  /** The plan to carry out. */
  readonly plan: QueryPlan
  /** The largest share of a record in a window, and the window's number; a share of 0 for other records. */
  of(key: number): { readonly share: number; readonly window: number }
  /** The records of the scope with a share above 0. */
  touched(): Iterable<number>
  /** The records of the scope whose event time is in a window, latest event first, then by id, descending. */
  inside(): number[]
}

/**
 * Null if the query names no time, or a time that does not distinguish records of the scope. A time distinguishes records by when they
 * were written or occurred. If only times in their texts differ, the words of the time keep counting as words, and the bonus is a tenth: texts without dates of
 * their own say "last week" of any week.
 */
export function eventWindows(given: QueryPlan, store: Store): EventWindows | null {
  const { times, withoutTimes } = given
  if (times === undefined) return null
  const createdAt = store.numbers('createdAt')
  const named = store.eventTimes()
  const writtenAt = (key: number): EventTime => ({ from: createdAt[key]!, before: createdAt[key]! })
  const eventOf = (key: number): EventTime => named.get(key) ?? writtenAt(key)
  const keys = (store.scopeKeys(given.scope) ?? store.everyKey()).keys
  const isIn = (event: EventTime) => times.some((time) => shareInside(event, time) > 0)
  const tellApart = (holds: (key: number) => boolean) => {
    const first = keys.length > 0 && holds(keys[0]!)
    return keys.some((key) => holds(key) !== first)
  }
  const isDated = (key: number) => isIn(writtenAt(key)) || (isInstant(eventOf(key)) && isIn(eventOf(key)))
  const byDates = withoutTimes == null || tellApart(isDated)
  const isNamed = (key: number) => !isInstant(eventOf(key)) && isIn(eventOf(key))
  if (!byDates && !keys.some(isNamed)) return null
  const windowOf = (key: number) => {
    const event = eventOf(key)
    let best = outside
    for (const [window, time] of times.entries()) {
      const ofEvent = shareInside(event, time)
      const share = byDates
        ? Math.max(ofEvent, shareInside(writtenAt(key), time))
        : isInstant(event)
          ? 0
          : ofEvent * textShare
      if (share > best.share) best = { share, window }
    }
    return best
  }
  return {
    plan: byDates ? given : { ...withoutTimes!, times, notes: withoutTimes!.notes.slice(0, -1) },
    of: windowOf,
    touched: () => keys.filter((key) => windowOf(key).share > 0),
    inside: () =>
      [...keys]
        .filter((key) => isIn(eventOf(key)))
        .sort((a, b) => eventOf(b).from - eventOf(a).from || compareCodePoints(store.idOf(b), store.idOf(a))),
  }
}

const textShare = 0.1

const outside = { share: 0, window: 0 }

function isInstant({ from, before }: EventTime): boolean {
  return from === before
}
