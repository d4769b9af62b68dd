/** The times that a record speaks of, and how much of them lies in a window. */
import { proseOf } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'
import { dateOf, weekdayOf } from './calendar.ts'
import { type LocalSpan, readAllTimes, type TimeReading } from './read-times.ts'
import { firstOccurrence, type Rule, yearlyRule } from './repetitions.ts'
import { utc } from './zone.ts'

/**
 * `instant`: `occurredAt`. `day`: a day in the title, which is the record's own. `title`: a longer time there. `named`: a date in the text.
 * `relative`: "yesterday", against `createdAt`. `guessed`: a date without a year, near
 * `createdAt`. `weekday`: the last or the next. `repeated`: by a rule.
 * `range`: from a first to a last day.
 */
export const eventKinds = [
  'instant',
  'day',
  'title',
  'named',
  'relative',
  'guessed',
  'repeated',
  'range',
  'weekday',
] as const
export type EventKind = (typeof eventKinds)[number]

/** ms, half-open. Of an instant: UTC, and both are equal. Of other kinds: clock time of whatever zone, as if it were UTC. */
export interface EventTime {
  readonly kind: EventKind
  readonly from: number
  readonly before: number
  /** Of `repeated`: from then on. */
  readonly rule: Rule | null
}

export interface EventText {
  readonly occurredAt: number | null
  readonly title: string | null
  readonly summary: string | null
  readonly body: string | null
}

/**
 * `occurredAt` alone; else the times that title, summary and body name. None: the time of the record is `createdAt`. Times are read as those of a
 * clock in UTC; the zone of a question decides how they compare with it [Q8].
 */
export function eventTimesOf(record: EventText, createdAt: number): readonly EventTime[] {
  const { occurredAt, title } = record
  if (occurredAt !== null) return [{ kind: 'instant', from: occurredAt, before: occurredAt, rule: null }]
  const when = { now: createdAt, offsetAt: utc }
  const own = title === null ? null : ownTimeOf(title, when)
  const text = proseOf(record)
  const { times, rules, yearly } = readAllTimes(text.slice(0, tuning.maxEventCharacters), when)
  const found: EventTime[] = own === null ? [] : [own]
  const start = Math.floor(createdAt / msPerDay) * msPerDay
  for (const rule of rules) found.push({ kind: 'repeated', from: start, before: start, rule })
  for (const time of times) found.push(...eventsOf(time, createdAt, yearly))
  return distinct(found).slice(0, mostEvents)
}

/** Times of one record that are kept. */
const mostEvents = 6

const { msPerDay } = tuning

/** The first date of a title or file name: "2024-06-19 Standup.md", "scan_06-17-2026.pdf", "1984". */
function ownTimeOf(title: string, when: Parameters<typeof readAllTimes>[1]): EventTime | null {
  if (!/\d/.test(title)) return null
  const { times } = readAllTimes(nameOf(title), when)
  for (const { guessed, relative, local } of times) {
    const [from, before] = local
    if (guessed || relative || from === null || before === null) continue
    return { kind: before - from <= msPerDay ? 'day' : 'title', from, before, rule: null }
  }
  return null
}

/** Without the ending of a file, and with spaces that separate words. */
function nameOf(title: string): string {
  return title
    .slice(0, tuning.maxEventCharacters)
    .replace(/\.[a-z]\w{0,4}$/i, '')
    .replaceAll('_', ' ')
}

function eventsOf(time: TimeReading, createdAt: number, yearly: boolean): readonly EventTime[] {
  const event = (kind: EventKind, [from, before]: LocalSpan): EventTime[] => {
    if (from === null) return []
    // "Since March" reaches to the moment of writing; "from 1 November", written in October, is its first day.
    return [{ kind, from, before: before ?? (from < createdAt ? createdAt : from + msPerDay), rule: null }]
  }
  if (!time.guessed) return event(time.relative ? 'relative' : time.ranged ? 'range' : 'named', time.local)
  const next = time.choices[0]!.next?.local
  // "In two weeks" may also say how long something took.
  if (next === undefined || next[0] === null) return event('weekday', time.local)
  const latest = time.local[0]!
  if (yearly && time.local[1]! - latest <= msPerDay && !isWeekly(latest, next[0])) {
    const { month, date } = dateOf(Math.floor(latest / msPerDay))
    return [{ kind: 'repeated', from: 0, before: 0, rule: yearlyRule(month, date) }]
  }
  // "On Friday" and "on the 13th" may be the last one or the next; of a date the nearer year is meant.
  if (isWeekly(latest, next[0])) return [...event('weekday', next), ...event('weekday', time.local)]
  if (next[0] - latest <= longestMonthMs) return [...event('guessed', next), ...event('guessed', time.local)]
  return event(time.ranged ? 'range' : 'guessed', next[0] - createdAt <= createdAt - latest ? next : time.local)
}

const longestMonthMs = 31 * msPerDay

function isWeekly(latest: number, next: number): boolean {
  return (
    next - latest === 7 * msPerDay &&
    weekdayOf(Math.floor(next / msPerDay)) === weekdayOf(Math.floor(latest / msPerDay))
  )
}

function distinct(events: readonly EventTime[]): readonly EventTime[] {
  const known = new Set<string>()
  return events.filter(({ from, before, rule }) => {
    const name = `${from} ${before} ${rule}`
    return !known.has(name) && known.add(name)
  })
}

/** In clock time of the window's zone. */
export interface LocalWindow {
  readonly from: number | null
  readonly before: number | null
  readonly local: LocalSpan
}

/** The share of the event time that lies in the window, 0..1; 1 for an instant in it, or a range that meets it. A side that is null is open. */
export function shareInside(event: EventTime, window: LocalWindow): number {
  const [from, before] = event.kind === 'instant' ? [window.from, window.before] : window.local
  const start = from ?? Number.NEGATIVE_INFINITY
  const end = before ?? Number.POSITIVE_INFINITY
  if (event.rule !== null) return occurrenceIn(event, window) === null ? 0 : 1
  if (event.from === event.before) return event.from >= start && event.from < end ? 1 : 0
  const inside = Math.min(event.before, end) - Math.max(event.from, start)
  if (inside <= 0) return 0
  // What lasts from day to day is on each of them.
  return event.kind === 'range' ? 1 : inside / (event.before - event.from)
}

/** The first time of an event in a window, in clock time; null if there is none. */
export function occurrenceIn(event: EventTime, { local: [from, before] }: LocalWindow): number | null {
  if (event.rule === null) return event.from
  const day = (ms: number) => Math.floor(ms / msPerDay)
  const last = before === null ? Number.MAX_SAFE_INTEGER : Math.ceil(before / msPerDay)
  const found = firstOccurrence(event.rule, day(event.from), from === null ? day(event.from) : day(from), last)
  return found === null ? null : found * msPerDay
}
