/** How much of each record's own time lies in the times that the query names. */
import { holdsKey } from '../../../src/core/collections/key-set.ts'
import type { QueryPlan, TimeWindow } from '../../../src/core/model/query-plan.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { type EventTime, occurrenceIn, shareInside } from '../../../src/core/time/event-time.ts'
import type { KeySet, Store } from '../../store/port/store.ts'

export interface EventWindows {
  /** Whether the times tell records apart by when they were written or occurred. */
  readonly byDates: boolean
  /** The plan to carry out. */
  readonly plan: QueryPlan
  /** The largest share of a record in a window, and the window's number; a share of 0 for other records. */
  of(key: number): { readonly share: number; readonly window: number }
  /** The records of the scope with a share above 0. */
  readonly touched: Uint32Array
  /** Whether the title of the record is one of the times: "2024-06-19". */
  isNamedAfter(key: number): boolean
  /** The records of the scope whose own time is in a window: named after it first, what comes back every week last; then latest event first, then by id, descending. */
  inside(): number[]
}

/**
 * `dated`: how many records of the scope are of the times; null without times. `windows`: null if the query names no time, or a time that does
 * not distinguish records of the scope. A time distinguishes records by when they were written or occurred, or by their titles. If only times
 * in their texts differ, the words of the time keep counting as words, and the bonus is smaller: texts without dates of their own say "last
 * week" of any week.
 */
export function eventWindows(
  given: QueryPlan,
  store: Store,
): { readonly windows: EventWindows | null; readonly dated: number | null } {
  const { times, withoutTimes } = given
  if (times === undefined) return { windows: null, dated: null }
  const scope = store.scopeKeys(given.scope) ?? store.everyKey()
  const createdAt = store.numbers('createdAt')
  const events = store.eventTimes()
  const eventsOf = (key: number) => inZone(events.get(key) ?? none, createdAt[key]!, times)
  const hasDay = (key: number) => events.get(key)?.[0]?.kind === 'day'
  const isWrittenIn = (key: number) => firstWith(times, createdAt[key]!) !== -1 && !hasDay(key)
  const written = keysIn(times, scope.keys, createdAt).filter((key) => !hasDay(key))
  const named = namedIn(times, scope, events, eventsOf)
  // A day in a text is not said by chance, as a year may be.
  const areFew = times.every(
    ({ local: [from, before] }) => from !== null && before !== null && before - from <= mostPrecise,
  )
  const isOfAnyWeek = anyWeek(scope.keys, createdAt)
  const counts = (event: EventTime, key: number) =>
    isDate(event) || (areFew && isPrecise(event) && !isOfAnyWeek(event, key))
  const isIn = (event: EventTime) => times.some((window) => shareInside(event, window) > 0)
  const occurred = named.filter(
    (key) => !isWrittenIn(key) && eventsOf(key).some((event) => counts(event, key) && isIn(event)),
  )
  const dated = written.length + occurred.length
  const byDates = withoutTimes == null || (dated > 0 && dated < scope.keys.length)
  const spans = named.filter((key) => !eventsOf(key).every(isDate))
  if (!byDates && spans.length === 0) return { windows: null, dated }
  const touched = byDates ? joined(written, named, isWrittenIn) : Uint32Array.from(spans)
  const windows: EventWindows = {
    byDates,
    plan: byDates ? given : { ...withoutTimes!, times, notes: withoutTimes!.notes.slice(0, -1) },
    of: windowOf,
    touched,
    isNamedAfter,
    inside,
  }
  return { windows, dated }

  function windowOf(key: number): { readonly share: number; readonly window: number } {
    const own = events.has(key) ? eventsOf(key) : none
    const first = byDates && !hasDay(key) ? firstWith(times!, createdAt[key]!) : -1
    let best = first === -1 ? outside : { share: own.length === 0 ? 1 : writtenShare, window: first }
    if (own.length === 0) return best
    const isTitled = hasDay(key)
    for (const [window, time] of times!.entries()) {
      for (const event of own) {
        const inside = shareInside(event, time)
        if (inside === 0) continue
        const asDate = byDates && !isOfAnyWeek(event, key)
        const share = inside * (asDate ? factorOf(event, isTitled) : isDate(event) ? 0 : textShare)
        if (share > best.share || (share === best.share && window < best.window)) best = { share, window }
      }
    }
    return best
  }

  function isNamedAfter(key: number): boolean {
    const [own] = events.get(key) ?? none
    if (own?.kind !== 'day' && own?.kind !== 'title') return false
    return times!.some(({ local: [from, before] }) => own.from === from && own.before === before)
  }

  function inside(): number[] {
    const at = new Map<number, number>()
    for (const key of written) if (!events.has(key)) at.set(key, createdAt[key]!)
    for (const key of named) at.set(key, latestOf(key))
    const others = Array.from(written).filter((key) => !at.has(key))
    const isWeekly = (key: number) =>
      eventsOf(key).every((event) => !isIn(event) || event.rule?.startsWith('w') === true)
    const rankOf = (key: number) => (isNamedAfter(key) ? 0 : events.has(key) && isWeekly(key) ? 2 : 1)
    const latestFirst = (time: (key: number) => number) => (a: number, b: number) =>
      rankOf(a) - rankOf(b) || time(b) - time(a) || compareCodePoints(store.idOf(b), store.idOf(a))
    // What a text says of its time counts before the day on which it was stored.
    return [
      ...[...at.keys()].sort(latestFirst((key) => at.get(key)!)),
      ...others.filter((key) => events.get(key)![0]!.kind !== 'instant').sort(latestFirst((key) => createdAt[key]!)),
    ]
  }

  function latestOf(key: number): number {
    let latest = Number.NEGATIVE_INFINITY
    for (const event of eventsOf(key))
      for (const time of times!)
        if (shareInside(event, time) > 0) latest = Math.max(latest, occurrenceIn(event, time) ?? event.from)
    return latest
  }
}

const none: readonly EventTime[] = []

/** In ms: a week, and the longest stay. */
const mostPrecise = 7 * tuning.msPerDay
const longestRange = 62 * tuning.msPerDay

/** Whether it counts like the time of writing. */
function isDate({ kind }: EventTime): boolean {
  return kind === 'instant' || kind === 'day' || kind === 'title'
}

function isPrecise({ from, before, rule, kind }: EventTime): boolean {
  if (kind === 'range') return before - from <= longestRange
  return rule !== null || (!isDate({ kind } as EventTime) && before - from <= mostPrecise)
}

/**
 * Whether a time in a text, such as "last week", tells nothing: it counts from the day of writing, and the record is one of many that were stored on
 * one day.
 */
function anyWeek(keys: Uint32Array, createdAt: Float64Array): (event: EventTime, key: number) => boolean {
  const dayOf = (key: number) => Math.floor(createdAt[key]! / tuning.msPerDay)
  const known = new Map<number, boolean>()
  const isMost = (day: number) => {
    let count = 0
    for (let i = 0; i < keys.length; i++) if (dayOf(keys[i]!) === day) count++
    return 2 * count > keys.length
  }
  return ({ kind }, key) => {
    if (kind !== 'relative' || keys.length < leastImported) return false
    const day = dayOf(key)
    const isImported = known.get(day) ?? isMost(day)
    known.set(day, isImported)
    return isImported
  }
}

/** So many records of a scope, most of them stored on one day, were imported rather than written. */
const leastImported = 200

function factorOf({ kind, rule }: EventTime, isTitled: boolean): number {
  if (rule !== null) return rule.startsWith('w') ? weeklyShare : repeatedShare
  if (kind === 'guessed') return guessedShare
  if (kind === 'weekday') return otherShare
  return isTitled && kind !== 'day' ? otherShare : 1
}

/** "Yesterday" counts from the day on which the text was written, in the zone of the question. */
function inZone(
  events: readonly EventTime[],
  createdAt: number,
  [window]: readonly TimeWindow[],
): readonly EventTime[] {
  const { from, before, local } = window!
  const offset = from !== null ? local[0]! - from : before !== null ? local[1]! - before : 0
  const { msPerDay } = tuning
  const days = offset === 0 ? 0 : Math.floor((createdAt + offset) / msPerDay) - Math.floor(createdAt / msPerDay)
  if (days === 0 || events.every(({ kind }) => kind !== 'relative')) return events
  const shift = days * msPerDay
  return events.map((event) =>
    event.kind === 'relative' ? { ...event, from: event.from + shift, before: event.before + shift } : event,
  )
}

/** The keys whose time is in a window. The loop allocates nothing, because it passes over the whole scope. */
function keysIn(windows: readonly TimeWindow[], keys: Uint32Array, times: Float64Array): Uint32Array {
  const found = new Uint32Array(keys.length)
  let count = 0
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    if (firstWith(windows, times[key]!) !== -1) found[count++] = key
  }
  return found.subarray(0, count)
}

/** The records of the scope that have a time of their own, which is in a window. */
function namedIn(
  windows: readonly TimeWindow[],
  scope: KeySet,
  events: ReadonlyMap<number, readonly EventTime[]>,
  eventsOf: (key: number) => readonly EventTime[],
): readonly number[] {
  const found: number[] = []
  for (const key of events.keys()) {
    if (!holdsKey(scope, key)) continue
    if (eventsOf(key).some((event) => windows.some((window) => shareInside(event, window) > 0))) found.push(key)
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
function firstWith(windows: readonly TimeWindow[], at: number): number {
  for (let i = 0; i < windows.length; i++) if (holds(windows[i]!, at)) return i
  return -1
}

function holds({ from, before }: TimeWindow, at: number): boolean {
  return (from === null || at >= from) && (before === null || at < before)
}

/**
 * Shares of a record: of the day on which it was stored, if its text names another; of a time whose year or week its text leaves open; of a
 * weekday, or another day than that of its title; of what comes back every month or year, and every week.
 */
const writtenShare = 0.95
const guessedShare = 0.9
const otherShare = 0.5
const repeatedShare = 0.9
const weeklyShare = 0.6
/** Of times in texts, if only these tell records apart. */
const textShare = 0.1

const outside = { share: 0, window: 0 }
