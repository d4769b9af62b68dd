/** The times that the text of a query names, if the policy has a use for them. */
import type { FactNeeds } from '../model/fact-needs.ts'
import type { RecallQuery } from '../model/query.ts'
import type { TimeWindow } from '../model/query-plan.ts'
import { dateForms } from '../time/date-forms.ts'
import { describePeriod } from '../time/describe-period.ts'
import { asksOnlyForTimes } from '../time/only-times.ts'
import { type ReadingTime, readTimes } from '../time/read-times.ts'
import { quotedSpans, type Span } from './quoted-spans.ts'

export interface TimesInText {
  readonly windows: readonly TimeWindow[]
  /** UTF-16 offsets [from, to) of the windows' words. */
  readonly spans: readonly Span[]
  /** Of each window: further forms of its date as texts write it. */
  readonly forms: readonly (readonly string[])[]
  /** The rest of the text has only stop words. */
  readonly alone: boolean
}

const noTimes: TimesInText = { windows: [], spans: [], forms: [], alone: false }

/** Words between quotes are a phrase, and no time. */
export function timesIn(query: RecallQuery, text: string, needs: FactNeeds, when: ReadingTime): TimesInText {
  if (query.times === 'off' || text === '' || !needs.times) return noTimes
  const quoted = quotedSpans(text)
  const found = readTimes(text, when).filter(({ at }) => !quoted.some(([from, to]) => at[0] < to && at[1] > from))
  // A window's number is one byte in the facts.
  const times = found.slice(0, mostTimes)
  if (times.length === 0) return noTimes
  return {
    windows: times.map(({ at, from, before }) => ({
      text: text.slice(...at),
      from,
      before,
      words: describePeriod(from, before, when.offsetAt),
    })),
    spans: times.map(({ at }) => at),
    forms: times.map(({ at }) => dateForms(text.slice(...at))),
    alone: asksOnlyForTimes(text, times, when.preferred),
  }
}

const mostTimes = 16
