/** Compares the windows of a query with their definition, record by record, over random stores, scopes and times. */
import { describe, expect, it } from 'vitest'
import { keySetOf } from '../../../src/core/collections/key-set.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { EventTime } from '../../../src/core/time/event-time.ts'
import { eventWindows } from '../../../worker/retrieval/question/event-windows.ts'
import type { Store } from '../../../worker/store/port/store.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { sized } from '../../support/data/sized.ts'

const size = 40

describe('the windows of a query', () => {
  it('give every record its largest share, and list the records by their events', () => {
    const seen = { byDates: 0, byTexts: 0, none: 0 }
    for (let seed = 1; seed <= sized(400); seed++) {
      const { store, plan, keys, createdAt, events } = randomCase(createRandom(seed))
      const { windows } = eventWindows(plan, store)
      const expected = defined(plan, keys, createdAt, events)
      expect(windows === null, `seed ${seed}`).toBe(expected === null)
      if (windows === null || expected === null) {
        seen.none++
        continue
      }
      seen[expected.byDates ? 'byDates' : 'byTexts']++
      for (const key of keys) expect(windows.of(key), `seed ${seed}, key ${key}`).toEqual(expected.of(key))
      expect([...windows.touched].sort(ascending), `seed ${seed}`).toEqual(
        [...keys].filter((key) => expected.of(key).share > 0),
      )
      expect(windows.inside(), `seed ${seed}`).toEqual(expected.inside)
      expect(windows.plan).toEqual(expected.byDates ? plan : { marked: 'without times', times: plan.times, notes: [] })
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(sized(400) / 40)
  })
})

const ascending = (a: number, b: number) => a - b

function randomCase(random: Random) {
  const moment = () => random.below(10)
  const all = Uint32Array.from({ length: size }, (_, key) => key)
  const keys = random.below(2) === 0 ? all : all.filter(() => random.below(3) === 0)
  const spread = random.pick([1, 3, 10])
  const createdAt = Float64Array.from(all, () => random.below(spread))
  const events = new Map<number, readonly EventTime[]>()
  for (const key of all) {
    if (random.below(3) !== 0) continue
    const from = moment()
    const length = random.pick([0, 0, 1, 4])
    const kind = length === 0 ? 'instant' : random.pick(['named', 'day', 'title'] as const)
    events.set(key, [{ kind, from, before: from + length, rule: null }])
  }
  const times = Array.from({ length: 1 + random.below(3) }, () => {
    const from = random.below(5) === 0 ? null : moment()
    const before = random.below(5) === 0 ? null : (from ?? 0) + 1 + random.below(4)
    return { from, before, local: [from, before] as const, words: '', text: '' }
  })
  const withoutTimes = random.below(4) === 0 ? null : { marked: 'without times', notes: ['the time is not used'] }
  const plan = { scope: {}, times, withoutTimes } as unknown as QueryPlan
  const store = {
    scopeKeys: () => (keys === all ? null : keySetOf(keys, size)),
    everyKey: () => keySetOf(all, size),
    numbers: () => createdAt,
    eventTimes: () => events,
    idOf: (key: number) => `r${key}`,
  } as unknown as Store
  return { store, plan, keys, createdAt, events }
}

/** The definition, without regard to time: each record is compared with each window. Times are a few ms long, so all are precise. */
function defined(
  { times = [], withoutTimes }: QueryPlan,
  keys: Uint32Array,
  createdAt: Float64Array,
  events: ReadonlyMap<number, readonly EventTime[]>,
) {
  type Window = { from: number | null; before: number | null }
  const written = (key: number) =>
    ({ kind: 'instant', from: createdAt[key]!, before: createdAt[key]!, rule: null }) as const
  const eventOf = (key: number) => events.get(key)?.[0] ?? written(key)
  const shareOf = ({ from, before }: EventTime, window: Window) => {
    const [start, end] = [window.from ?? -1e9, window.before ?? 1e9]
    if (from === before) return start <= from && from < end ? 1 : 0
    let inside = 0
    for (let quarter = from; quarter < before; quarter += 0.25) if (start <= quarter && quarter < end) inside += 0.25
    return inside / (before - from)
  }
  const isIn = (event: EventTime) => times.some((window) => shareOf(event, window) > 0)
  const hasDay = (key: number) => eventOf(key).kind === 'day'
  const isDate = ({ kind }: EventTime) => kind !== 'named'
  const areClosed = times.every(({ from, before }) => from !== null && before !== null)
  const isWritten = (key: number) => !hasDay(key) && isIn(written(key))
  const isDated = (key: number) => isWritten(key) || (isIn(eventOf(key)) && (isDate(eventOf(key)) || areClosed))
  const dated = [...keys].filter(isDated).length
  const byDates = withoutTimes === null || (dated > 0 && dated < keys.length)
  const named = (key: number) => eventOf(key).kind === 'named' && isIn(eventOf(key))
  if (!byDates && ![...keys].some(named)) return null
  const of = (key: number) => {
    const event = eventOf(key)
    const ofWritten = (window: Window) =>
      hasDay(key) || !byDates ? 0 : shareOf(written(key), window) * (events.has(key) ? 0.95 : 1)
    const ofEvent = (window: Window) =>
      !events.has(key) ? 0 : byDates ? shareOf(event, window) : isDate(event) ? 0 : shareOf(event, window) * 0.1
    const shares = times.map((window) => Math.max(ofWritten(window), ofEvent(window)))
    const share = Math.max(...shares)
    return { share, window: share === 0 ? 0 : shares.indexOf(share) }
  }
  const isNamedAfter = (key: number) => {
    const { kind, from, before } = eventOf(key)
    return (kind === 'day' || kind === 'title') && times.some((time) => time.from === from && time.before === before)
  }
  const latestFirst = (at: (key: number) => number) => (a: number, b: number) =>
    Number(isNamedAfter(b)) - Number(isNamedAfter(a)) || at(b) - at(a) || (`r${a}` < `r${b}` ? 1 : -1)
  const inside = [
    ...[...keys].filter((key) => isIn(eventOf(key))).sort(latestFirst((key) => eventOf(key).from)),
    ...[...keys]
      .filter((key) => isWritten(key) && !isIn(eventOf(key)) && eventOf(key).kind !== 'instant')
      .sort(latestFirst((key) => createdAt[key]!)),
  ]
  return { byDates, of, inside }
}
