/**
 * A second implementation of merging, from causal histories: each change is an event that remembers which events its device knew, a
 * device is a set of events, and merging is the union of two sets. What a device shows is computed from its set, from the start.
 */
import type { LearnedState } from '../../../src/core/learning/apply-outcome.ts'
import type { Outcome } from '../../../src/core/model/learned.ts'
import { taught, untaught } from './plain-learning.ts'

export interface Event {
  readonly device: string
  readonly record: string
  readonly kind: 'put' | 'repeat' | 'forget' | 'report' | 'other'
  /** Wall clock of the device, ms. */
  readonly wall: number
  /** What the device knew. */
  readonly past: ReadonlySet<Event>
  readonly life: number
  /** Hybrid logical clock. */
  readonly at: number
  readonly count: number
  readonly body: string
  /** The put that a repeated put repeats. */
  readonly of: Event | null
  readonly outcome: Outcome | null
  readonly receipt: string | null
}

export interface Shown {
  readonly life: number
  readonly body: string
  readonly confirmedAt: number
  readonly learned: LearnedState
  /** The put that wrote the version. */
  readonly put: Event
}

const amplitude = 2

export class History {
  readonly events: Event[] = []
  readonly #known = new Map<string, Set<Event>>()

  put(device: string, record: string, body: string, wall: number): void {
    const shown = this.shown(device, record)
    if (shown?.body === body) this.#add(device, { kind: 'repeat', record, wall, life: shown.life, of: shown.put })
    else
      this.#add(device, {
        kind: 'put',
        record,
        wall,
        body,
        life: shown?.life ?? this.#lastForgotten(device, record) + 1,
      })
  }

  /** Does nothing if the device does not show the record. */
  forget(device: string, record: string, wall: number): void {
    const shown = this.shown(device, record)
    if (shown !== null) this.#add(device, { kind: 'forget', record, wall, life: shown.life })
  }

  /** Does nothing if the device does not show the record, or knows of the same outcome of the same receipt. */
  report(device: string, record: string, outcome: Outcome, receipt: string | null, wall: number): void {
    const shown = this.shown(device, record)
    if (shown === null) return
    const same = (event: Event) =>
      event.kind === 'report' &&
      event.record === record &&
      event.life === shown.life &&
      isSame(event, { outcome, receipt })
    if ([...this.#of(device)].some(same)) return
    this.#add(device, { kind: 'report', record, wall, life: shown.life, outcome, receipt })
  }

  /** A change of something else, which takes a stamp. */
  other(device: string, wall: number): void {
    this.#add(device, { kind: 'other', record: '', wall, life: 0 })
  }

  pull(device: string, from: string): void {
    for (const event of this.#of(from)) this.#of(device).add(event)
  }

  /** What the device shows of a record; null if it is forgotten or was never put. */
  shown(device: string, record: string): Shown | null {
    const events = [...this.#of(device)].filter((event) => event.record === record)
    const puts = events.filter(({ kind }) => kind === 'put')
    const life = Math.max(-1, ...puts.map((event) => event.life))
    if (life <= this.#lastForgotten(device, record)) return null
    const [put] = puts
      .filter((event) => event.life === life)
      .sort(byStamp)
      .reverse()
    if (put === undefined) return null
    const repeats = events.filter(({ kind, of }) => kind === 'repeat' && of === put)
    const reports = events.filter((event) => event.kind === 'report' && event.life === life).sort(byStamp)
    return {
      life,
      put,
      body: put.body,
      confirmedAt: Math.max(put.wall, ...repeats.map(({ wall }) => wall)),
      learned: learnedFrom(reports, put),
    }
  }

  #lastForgotten(device: string, record: string): number {
    let last = -1
    for (const event of this.#of(device))
      if (event.kind === 'forget' && event.record === record) last = Math.max(last, event.life)
    return last
  }

  #of(device: string): Set<Event> {
    const known = this.#known.get(device) ?? new Set()
    this.#known.set(device, known)
    return known
  }

  #add(device: string, event: Pick<Event, 'kind' | 'record' | 'wall' | 'life'> & Partial<Event>): void {
    const known = this.#of(device)
    let [at, count] = [Number.NEGATIVE_INFINITY, 0]
    for (const seen of known) {
      if (seen.kind === 'repeat' || seen.at < at || (seen.at === at && seen.count < count)) continue
      at = seen.at
      count = seen.count
    }
    const stamp = Math.floor(event.wall) > at ? { at: Math.floor(event.wall), count: 0 } : { at, count: count + 1 }
    const made: Event = {
      body: '',
      of: null,
      outcome: null,
      receipt: null,
      ...event,
      ...stamp,
      device,
      past: new Set(known),
    }
    this.events.push(made)
    known.add(made)
  }
}

function isSame(a: Pick<Event, 'outcome' | 'receipt'>, b: Pick<Event, 'outcome' | 'receipt'>): boolean {
  return a.receipt !== null && a.receipt === b.receipt && a.outcome === b.outcome
}

function learnedFrom(reports: readonly Event[], put: Event): LearnedState {
  const counted = reports.filter((event, i) => !reports.slice(0, i).some((earlier) => isSame(earlier, event)))
  let state = untaught([amplitude])
  for (const { outcome, wall } of counted) if (outcome !== null) state = taught(state, outcome, wall)
  // The decay clock starts again with each version.
  const touch = counted.filter(({ outcome }) => outcome === 'acted').at(-1)
  return touch !== undefined && byStamp(touch, put) > 0 ? state : { ...state, touchedAt: null }
}

function byStamp(a: Event, b: Event): number {
  return a.at - b.at || a.count - b.count || (a.device < b.device ? -1 : a.device > b.device ? 1 : 0)
}
