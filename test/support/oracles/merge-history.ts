/**
 * A second implementation of merging, from causal histories: each change is an event that remembers which events its device knew and what it
 * changed, a device is a set of events, and merging is the union of two sets. What a device shows is computed from its set, from the start.
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
  readonly texts: Shape
  /** Names of what a put changed: title, body, and each tag; null: the put began a life, and set everything. */
  readonly touched: ReadonlySet<string> | null
  /** The put that a repeated put repeats. */
  readonly of: Event | null
  readonly outcome: Outcome | null
  readonly receipt: string | null
}

export interface Shape {
  readonly title: string | null
  readonly body: string | null
  readonly tags: readonly string[]
}

export interface Shown extends Shape {
  readonly life: number
  readonly confirmedAt: number
  readonly learned: LearnedState
  /** The last put of the version. */
  readonly put: Event
}

const amplitude = 2

export class History {
  readonly events: Event[] = []
  readonly #known = new Map<string, Set<Event>>()

  put(device: string, record: string, texts: Shape, wall: number): void {
    const shown = this.shown(device, record)
    if (shown === null)
      this.#add(device, { kind: 'put', record, wall, texts, life: this.#lastForgotten(device, record) + 1 })
    else {
      const touched = changesOf(shown, texts)
      if (touched.size === 0) this.#add(device, { kind: 'repeat', record, wall, life: shown.life, of: shown.put })
      else this.#add(device, { kind: 'put', record, wall, texts, touched, life: shown.life })
    }
  }

  /** Whether both devices show one life, and each changed the same to another value without the change of the other. */
  isApart(a: string, b: string, record: string): boolean {
    const [mine, theirs] = [this.shown(a, record), this.shown(b, record)]
    if (mine === null || theirs === null || mine.life !== theirs.life) return false
    const puts = (device: string) => this.#puts(device, record, mine.life)
    const names = ['title', 'body', ...[...mine.tags, ...theirs.tags].map((tag) => `tag ${tag}`)]
    return names.some((name) => {
      const [own, other] = [lastOf(puts(a), name), lastOf(puts(b), name)]
      const isKnown = this.#of(b).has(own) || this.#of(a).has(other)
      return !isKnown && valueIn(mine, name) !== valueIn(theirs, name)
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
    const life = Math.max(-1, ...events.filter(({ kind }) => kind === 'put').map((event) => event.life))
    if (life <= this.#lastForgotten(device, record)) return null
    const puts = this.#puts(device, record, life)
    const put = puts.at(-1)
    if (put === undefined) return null
    const repeats = events.filter(({ kind, of }) => kind === 'repeat' && of === put)
    const reports = events.filter((event) => event.kind === 'report' && event.life === life).sort(byStamp)
    return {
      life,
      put,
      ...textsFrom(puts),
      confirmedAt: Math.max(put.wall, ...repeats.map(({ wall }) => wall)),
      learned: learnedFrom(reports, put),
    }
  }

  /** By stamp. */
  #puts(device: string, record: string, life: number): readonly Event[] {
    return [...this.#of(device)]
      .filter((event) => event.kind === 'put' && event.record === record && event.life === life)
      .sort(byStamp)
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
      texts: { title: null, body: null, tags: [] },
      touched: null,
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

function changesOf(shown: Shape, next: Shape): ReadonlySet<string> {
  const touched = new Set<string>()
  const texts = ['title', 'body'] as const
  for (const name of texts) if (shown[name] !== next[name]) touched.add(name)
  // Who removes a text decides about both.
  if (texts.some((name) => shown[name] !== null && next[name] === null)) for (const name of texts) touched.add(name)
  const kept = next.tags.filter((tag) => shown.tags.includes(tag))
  const appended = [
    ...shown.tags.filter((tag) => next.tags.includes(tag)),
    ...next.tags.filter((tag) => !kept.includes(tag)),
  ]
  const isAppended = appended.join('\n') === next.tags.join('\n')
  for (const tag of next.tags) if (!isAppended || !shown.tags.includes(tag)) touched.add(`tag ${tag}`)
  for (const tag of shown.tags) if (!next.tags.includes(tag)) touched.add(`tag ${tag}`)
  return touched
}

/** The last put that decided about a name. */
function lastOf(puts: readonly Event[], name: string): Event {
  return puts.filter(({ touched }) => touched === null || touched.has(name)).at(-1)!
}

function valueIn(texts: Shape, name: string): string | boolean | null {
  return name === 'title' || name === 'body' ? texts[name] : texts.tags.includes(name.slice(4))
}

function textsFrom(puts: readonly Event[]): Shape {
  const tags = new Set(puts.flatMap(({ texts }) => texts.tags))
  const present = [...tags].flatMap((tag) => {
    const by = lastOf(puts, `tag ${tag}`)
    const place = by.texts.tags.indexOf(tag)
    return place === -1 ? [] : [{ tag, by, place }]
  })
  return {
    title: lastOf(puts, 'title').texts.title,
    body: lastOf(puts, 'body').texts.body,
    tags: present.sort((a, b) => byStamp(a.by, b.by) || a.place - b.place).map(({ tag }) => tag),
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
