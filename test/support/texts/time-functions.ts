/** The functions of the reader of times, each as a function of one text. */

import { clockNextTo } from '../../../src/core/time/clock.ts'
import { dateForms } from '../../../src/core/time/date-forms.ts'
import { eventTimesOf } from '../../../src/core/time/event-time.ts'
import { grammarsFor } from '../../../src/core/time/languages.ts'
import { asksOnlyForTimes, isBareDate, tenseOf } from '../../../src/core/time/only-times.ts'
import { parseIsoTime } from '../../../src/core/time/parse-iso-time.ts'
import { readAllTimes, readTimes } from '../../../src/core/time/read-times.ts'
import { repetitionsIn } from '../../../src/core/time/repetitions.ts'
import { beginsWithDigit, wordsOf } from '../../../src/core/time/words.ts'
import { utc } from '../../../src/core/time/zone.ts'

const aTime = [
  { at: [0, 1], from: 0, before: 1, local: [0, 1], guessed: false, relative: false, ranged: false, choices: [] },
] as const

export const timeFunctions: Readonly<Record<string, (text: string) => unknown>> = {
  'time/event-time.ts eventTimesOf': (body) => eventTimesOf({ occurredAt: null, title: body, summary: null, body }, 0),
  'time/date-forms.ts dateForms': dateForms,
  'time/languages.ts grammarsFor': (text) => grammarsFor(wordsOf(text)),
  'time/read-times.ts readTimes': (text) => readTimes(text, { now: 0, offsetAt: utc }),
  'time/read-times.ts readAllTimes': (text) => readAllTimes(text, { now: 0, offsetAt: utc }),
  'time/clock.ts clockNextTo': (text) => clockNextTo(text, [text.length >> 1, text.length >> 1]),
  'time/repetitions.ts repetitionsIn': (text) => {
    const words = wordsOf(text)
    for (const grammar of grammarsFor(words)) repetitionsIn(words, grammar)
  },
  'time/words.ts wordsOf': wordsOf,
  'time/words.ts beginsWithDigit': beginsWithDigit,
  'time/parse-iso-time.ts parseIsoTime': parseIsoTime,
  'time/only-times.ts asksOnlyForTimes': (text) => asksOnlyForTimes(text, aTime),
  'time/only-times.ts isBareDate': (text) => isBareDate(text, aTime),
  'time/only-times.ts tenseOf': (text) => tenseOf(text, aTime),
}
