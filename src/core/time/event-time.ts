/** The time that a record speaks of, and how much of it lies in a window. */
import { tuning } from '../model/tuning.ts'
import { readTimes } from './read-times.ts'
import { utc } from './zone.ts'

/** ms, half-open; equal bounds are one instant. */
export interface EventTime {
  readonly from: number
  readonly before: number
}

export interface EventText {
  readonly occurredAt: number | null
  readonly title: string | null
  readonly summary: string | null
  readonly body: string | null
}

/**
 * `occurredAt`; else the first time that the text names against its creation, in UTC ("yesterday" in a message of 8 May is 7 May);
 * else null: the record's time is `createdAt`. A time of which the text leaves the year or week open is not taken.
 */
export function eventTimeOf({ occurredAt, title, summary, body }: EventText, createdAt: number): EventTime | null {
  if (occurredAt !== null) return { from: occurredAt, before: occurredAt }
  const text = [title, summary, body].filter((part) => part !== null).join('\n')
  for (const { from, before, guessed } of readTimes(text.slice(0, tuning.maxEventCharacters), {
    now: createdAt,
    offsetAt: utc,
  })) {
    if (guessed || from === null) continue
    // "Since March" reaches to the moment of writing.
    if (before !== null) return { from, before }
    if (from < createdAt) return { from, before: createdAt }
  }
  return null
}

/** The share of the event time that lies in the window, 0..1; 1 for an instant in it. A side that is null is open. */
export function shareInside(
  event: EventTime,
  window: { readonly from: number | null; readonly before: number | null },
): number {
  const start = window.from ?? Number.NEGATIVE_INFINITY
  const end = window.before ?? Number.POSITIVE_INFINITY
  if (event.from === event.before) return event.from >= start && event.from < end ? 1 : 0
  const inside = Math.min(event.before, end) - Math.max(event.from, start)
  return inside <= 0 ? 0 : inside / (event.before - event.from)
}
