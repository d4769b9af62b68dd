/** How much of each record's event time lies in the times that the query names. */
import { holdsKey } from '../../../src/core/collections/key-set.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { type EventTime, shareInside } from '../../../src/core/time/event-time.ts'
import type { KeySet, Store } from '../../store/port/store.ts'

export interface EventWindows {
  /** The plan to carry out. */
  readonly plan: QueryPlan
  /** The largest share of a record in a window, and the window's number; a share of 0 for other records. */
  of(key: number): { readonly share: number; readonly window: number }
  /** The records of the scope with a share above 0. */
  readonly touched: Uint32Array
  /** The records of the scope whose event time is in a window, latest event first, then by id, descending. */
  inside(): number[]
}

type Window = NonNullable<QueryPlan['times']>[number]

/**
 * Null if the query names no time, or a time that does not distinguish records of the scope. A time distinguishes records by when they
 * were written or occurred. If only times in their texts differ, the words of the time keep counting as words, and the bonus is a tenth: texts without dates of
 * their own say "last week" of any week.
 */
export function eventWindows(given: QueryPlan, store: Store): EventWindows | null {
  const { times, withoutTimes } = given
  if (times === undefined) return null
  const scope = store.scopeKeys(given.scope) ?? store.everyKey()
  const createdAt = store.numbers('createdAt')
  const events = store.eventTimes()
  const isWrittenIn = (key: number) => firstWith(times, createdAt[key]!) !== -1
  const written = keysIn(times, scope.keys, createdAt)
  const named = namedIn(times, scope, events)
  const occurred = named.filter((key) => isInstant(events.get(key)!) && !isWrittenIn(key))
  const dated = written.length + occurred.length
  const byDates = withoutTimes == null || (dated > 0 && dated < scope.keys.length)
  const spans = named.filter((key) => !isInstant(events.get(key)!))
  if (!byDates && spans.length === 0) return null
  return {
    plan: byDates ? given : { ...withoutTimes!, times, notes: withoutTimes!.notes.slice(0, -1) },
    of: windowOf,
    touched: byDates ? joined(written, named, isWrittenIn) : Uint32Array.from(spans),
    inside: () => latestFirst([...Array.from(written).filter((key) => !events.has(key)), ...named]),
  }

  function windowOf(key: number): { readonly share: number; readonly window: number } {
    const event = events.get(key)
    const first = byDates ? firstWith(times!, createdAt[key]!) : -1
    if (event === undefined) return first === -1 ? outside : { share: 1, window: first }
    let best = outside
    for (const [window, time] of times!.entries()) {
      const ofEvent = shareInside(event, time)
      const ofText = isInstant(event) ? 0 : ofEvent * textShare
      const share = byDates ? Math.max(ofEvent, holds(time, createdAt[key]!) ? 1 : 0) : ofText
      if (share > best.share) best = { share, window }
    }
    return best
  }

  function latestFirst(keys: number[]): number[] {
    const from = new Map(keys.map((key) => [key, events.get(key)?.from ?? createdAt[key]!]))
    return keys.sort((a, b) => from.get(b)! - from.get(a)! || compareCodePoints(store.idOf(b), store.idOf(a)))
  }
}

/** The keys whose time is in a window. The loop allocates nothing, because it passes over the whole scope. */
function keysIn(windows: readonly Window[], keys: Uint32Array, times: Float64Array): Uint32Array {
  const found = new Uint32Array(keys.length)
  let count = 0
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    if (firstWith(windows, times[key]!) !== -1) found[count++] = key
  }
  return found.subarray(0, count)
}

/** The records of the scope that have an event time of their own, which is in a window. */
function namedIn(windows: readonly Window[], scope: KeySet, events: ReadonlyMap<number, EventTime>): readonly number[] {
  const found: number[] = []
  for (const [key, event] of events) {
    if (holdsKey(scope, key) && windows.some((window) => shareInside(event, window) > 0)) found.push(key)
  }
  return found
}

function joined(keys: Uint32Array, others: readonly number[], isAmongKeys: (key: number) => boolean): Uint32Array {
  const added = others.filter((key) => !isAmongKeys(key))
  const all = new Uint32Array(keys.length + added.length)
  all.set(keys)
  all.set(added, keys.length)
  return all
}

/** The number of the first window that holds the time; −1 for none. */
function firstWith(windows: readonly Window[], at: number): number {
  for (let i = 0; i < windows.length; i++) if (holds(windows[i]!, at)) return i
  return -1
}

function holds({ from, before }: Window, at: number): boolean {
  return (from === null || at >= from) && (before === null || at < before)
}

const textShare = 0.1

const outside = { share: 0, window: 0 }

function isInstant({ from, before }: EventTime): boolean {
  return from === before
}
