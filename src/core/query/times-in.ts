/** The times that the text of a query names, if the policy has a use for them. */
import type { FactNeeds } from '../model/fact-needs.ts'
import type { RecallQuery } from '../model/query.ts'
import type { TimeSpan as PlanSpan, TimeWindow } from '../model/query-plan.ts'
import { dateForms } from '../time/date-forms.ts'
import { describePeriod } from '../time/describe-period.ts'
import { asksOnlyForTimes, isBareDate, tenseOf } from '../time/only-times.ts'
import { type ReadingTime, readTimes, type TimeReading, type TimeSpan } from '../time/read-times.ts'
import { quotedSpans, type Span } from './quoted-spans.ts'

export interface TimesInText {
  readonly windows: readonly TimeWindow[]
  /** UTF-16 offsets [from, to) of the windows' words. */
  readonly spans: readonly Span[]
  /** Of each window: further forms of its date as texts write it. */
  readonly forms: readonly (readonly string[])[]
  /** The rest of the text has only stop words. */
  readonly alone: boolean
  /** The text is a date and nothing else. */
  readonly bare: boolean
}

const noTimes: TimesInText = { windows: [], spans: [], forms: [], alone: false, bare: false }

/** Words between quotes are a phrase, and no time. */
export function timesIn(query: RecallQuery, text: string, needs: FactNeeds, when: ReadingTime): TimesInText {
  if (query.times === 'off' || text === '' || !needs.times) return noTimes
  const quoted = quotedSpans(text)
  const found = readTimes(text, when).filter(({ at }) => !quoted.some(([from, to]) => at[0] < to && at[1] > from))
  // A window's number is one byte in the facts.
  const times = found.slice(0, mostTimes)
  if (times.length === 0) return noTimes
  const tense = tenseOf(text, times, when.preferred)
  return {
    windows: times.map((time) => windowOf(text, time, tense, when)),
    spans: times.map(({ at }) => at),
    forms: times.map(({ at, local, guessed }) => dateForms(text.slice(...at), guessed ? null : local, when.preferred)),
    alone: asksOnlyForTimes(text, times, when.preferred),
    bare: isBareDate(text, times, when.preferred),
  }
}

/** The most likely meaning, and the others in order. */
function windowOf(
  text: string,
  { at, choices }: TimeReading,
  tense: ReturnType<typeof tenseOf>,
  { offsetAt }: ReadingTime,
): TimeWindow {
  const spans = choices.flatMap(({ latest, next }) => {
    if (next === null || tense === 'past') return [latest]
    return tense === 'coming' ? [next, latest] : [latest, next]
  })
  const [first, ...others] = spans.map(
    ({ from, before, local }: TimeSpan): PlanSpan => ({
      from,
      before,
      local,
      words: describePeriod(from, before, offsetAt),
    }),
  )
  return { text: text.slice(...at), ...first!, ...(others.length === 0 ? {} : { others }) }
}

const mostTimes = 16
