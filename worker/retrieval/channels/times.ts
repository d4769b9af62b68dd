/**
 * The times channel: every record of the times that the query names, whatever words it has. Its records are candidates like those that words
 * find, so a question about a day always considers what is of that day [Q7].
 */
import type { ChannelPlan } from '../../../src/core/model/result.ts'
import type { Question } from '../question/question.ts'

export interface TimesChannel {
  /** The records that pass the scope; empty unless the channel runs. */
  readonly keys: Uint32Array
  /** Null: the query names no time that tells records apart, or nothing but a time, so that the recent channel lists its records. */
  readonly plan: ChannelPlan | null
  has(key: number): boolean
}

export function timesChannel({ plan, windows }: Question): TimesChannel {
  if (windows === null || !windows.byDates || plan.listing)
    return { keys: new Uint32Array(0), plan: null, has: () => false }
  const keys = windows.touched
  return {
    keys,
    plan: { ran: true, mode: 'exact', scanned: keys.length, matched: keys.length, complete: true },
    has: (key) => windows.of(key).share > 0,
  }
}
