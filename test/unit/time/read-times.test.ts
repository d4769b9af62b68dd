/** Checks what the reader finds in texts of seven languages, and what it leaves alone. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTimes } from '../../../src/core/time/read-times.ts'
import { instantOf, utc } from '../../../src/core/time/zone.ts'
import { excessiveGrowth } from '../../support/growth.ts'
import { readAt, wednesday } from './table.ts'
import { de } from './tables/de.ts'
import { en } from './tables/en.ts'
import { es } from './tables/es.ts'
import { fr } from './tables/fr.ts'
import { it } from './tables/it.ts'
import { nl } from './tables/nl.ts'
import { notTimes } from './tables/not-times.ts'
import { pt } from './tables/pt.ts'

const dayMs = 86_400_000
const lines = (table: string) => table.split('\n').filter((line) => line !== '')
const windows = (text: string, now: number) =>
  readTimes(text, { now, offsetAt: utc }).map(({ from, before }) => [from, before])

describe.each(Object.entries({ en, de, fr, es, pt, it, nl }))('the table of %s', (_, table) => {
  test('has at least 40 expressions', () => expect(lines(table).length).toBeGreaterThanOrEqual(40))
  test.each(lines(table).map((line) => line.split(' → ') as [string, string]))('%s → %s', (text, read) =>
    expect(readAt(text)).toEqual([read]),
  )
})

describe('words that only look like times', () => {
  test('are at least 120 texts', () => expect(lines(notTimes).length).toBeGreaterThanOrEqual(120))
  test.each(lines(notTimes))('%s', (text) => expect(readAt(text)).toEqual([]))
  test('control: with a preposition or a year the same words are times', () => {
    expect(readAt('in May')).toEqual(['May: May 2026'])
    expect(readAt('since March')).toEqual(['since March: from 1 March 2026 on'])
    expect(readAt('I moved in 2024')).toEqual(['2024: 2024'])
    expect(readAt('spring of 2024')).toEqual(['spring of 2024: 1 March to 31 May 2024'])
  })
})

test('the weekend is the one that has begun', () => {
  const saturday = Date.UTC(2026, 10, 21, 10)
  expect(readAt('over the weekend', saturday - dayMs)).toEqual(['over the weekend: 14 to 15 November 2026'])
  for (const days of [0, 1, 2])
    expect(readAt('over the weekend', saturday + days * dayMs)).toEqual(['over the weekend: 21 to 22 November 2026'])
})

test('only one day has a week: of several, the days are read', () => {
  expect(readAt('the week of 3 May')).toEqual(['week of 3 May: 27 April to 3 May 2026'])
  expect(readAt('the week of 3 to 5 May')).toEqual(['3 to 5 May: 3 to 5 May 2026'])
  expect(readAt('the week of May 2026')).toEqual(['May 2026: May 2026'])
})

test('Easter is on the Sundays that the Western churches keep', () => {
  const sundays = {
    1943: '25 April',
    1954: '18 April',
    1981: '19 April',
    2000: '23 April',
    2008: '23 March',
    2024: '31 March',
  }
  for (const [year, sunday] of Object.entries(sundays)) {
    const [window] = readTimes(`Easter ${year}`, { now: wednesday, offsetAt: utc })
    expect(window).toMatchObject({ from: Date.parse(`${sunday} ${year} UTC`) - 2 * dayMs })
    expect(window!.before! - window!.from!).toBe(4 * dayMs)
  }
})

describe('two numbers below 13 with slashes', () => {
  const read = (text: string, preferred: readonly string[]) =>
    readTimes(text, { now: wednesday, offsetAt: utc, preferred }).map(({ from }) => from)

  test('are a date where the language of the text or of the store settles the order', () => {
    expect(readAt('am 03/11/2026 war es kalt')).toEqual(['03/11/2026: 3 November 2026'])
    expect(read('03/11/2026', ['de', 'fr'])).toEqual([Date.UTC(2026, 10, 3)])
    expect(read('meeting 03/11/2026', ['nl'])).toEqual([Date.UTC(2026, 10, 3)])
  })

  test('control: nothing is guessed where English is possible', () => {
    expect(readAt('what did we say on 03/11/2026')).toEqual([])
    expect(read('03/11/2026', [])).toEqual([])
    expect(read('03/11/2026', ['de', 'en'])).toEqual([])
    expect(read('11/15/2026', ['de', 'en'])).toEqual([Date.UTC(2026, 10, 15)])
  })
})

describe('runs of words that begin a time', () => {
  const read = (text: string) => readTimes(text, { now: wednesday, offsetAt: utc })
  const units = [
    'early ',
    'end of the ',
    'last year in ',
    'Tuesday last week ',
    'at Christmas Eve ',
    'week before the ',
    'Monday after last week before ',
    '10/2026 ',
    'fin de la semana ',
  ]

  test.each(units)('[G4] of %j take linear time', (unit) => {
    expect(excessiveGrowth(read, { unit, tail: 'x' })).toBeNull()
  })

  test('[G4] control: reading from each word on to the end is measured as quadratic', () => {
    const readRest = (text: string) => text.split(' ').map((_, i, words) => words.slice(i).join(' ').length)
    expect(excessiveGrowth(readRest, { unit: 'early ', tail: 'x' })).not.toBeNull()
  })
})

describe('windows', () => {
  test('are half-open, in ms', () => {
    expect(windows('yesterday', wednesday)).toEqual([[Date.UTC(2026, 10, 17), Date.UTC(2026, 10, 18)]])
    expect(windows('since March', wednesday)).toEqual([[Date.UTC(2026, 2, 1), null]])
    expect(windows('before June', wednesday)).toEqual([[null, Date.UTC(2026, 5, 1)]])
  })

  test('of several expressions come in order of appearance', () => {
    expect(readAt('Yesterday it rained; last week it was dry.')).toEqual([
      'Yesterday: 17 November 2026',
      'last week: 9 to 15 November 2026',
    ])
  })

  test('do not join words of two lines or sentences', () => {
    expect(readAt('we met last\nweek came')).toEqual([])
    expect(readAt('He came last. Week two was better.')).toEqual([])
  })

  test('shift with now: n days for days, whole weeks for weeks', () => {
    const byDay = [
      'yesterday',
      'today',
      'tomorrow morning',
      'three days ago',
      'the last ten days',
      'in the last 5 hours',
    ]
    const byWeek = ['last week', 'this weekend', 'last Tuesday', 'next Friday', 'two weeks ago', 'since last week']
    const shifted = (text: string, days: number) => {
      const move = (at: number | null) => (at === null ? null : at + days * dayMs)
      expect(windows(text, wednesday + days * dayMs)).toEqual(
        windows(text, wednesday).map(([from, before]) => [move(from!), move(before!)]),
      )
    }
    fc.assert(
      fc.property(fc.integer({ min: -20_000, max: 20_000 }), (n) => {
        for (const text of byDay) shifted(text, n)
        for (const text of byWeek) shifted(text, 7 * n)
      }),
      { numRuns: 200, seed: 19 },
    )
  })

  test('never end before they begin, whatever now is', () => {
    const texts = [en, de, fr, es, pt, it, nl].flatMap(lines).map((line) => line.split(' → ')[0]!)
    fc.assert(
      fc.property(fc.integer({ min: -2e12, max: 4e12 }), fc.constantFrom(...texts), (now, text) => {
        for (const [from, before] of windows(text, now))
          if (from !== null && before !== null) expect(from).toBeLessThan(before!)
      }),
      { numRuns: 2000, seed: 19 },
    )
  })
})

describe('clock changes', () => {
  /** Offsets of a zone that goes forward by an hour at `spring` and back at `autumn` (ms). */
  const zone = (base: number, spring: number, autumn: number) => (ms: number) =>
    base + (ms >= spring && ms < autumn ? 3_600_000 : 0)
  const berlin = zone(3_600_000, Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1))

  test('make a day of 23 hours and one of 25', () => {
    const hours = (text: string, now: number) =>
      readTimes(text, { now, offsetAt: berlin }).map(({ from, before }) => (before! - from!) / 3_600_000)
    expect(hours('yesterday', Date.UTC(2026, 2, 30, 12))).toEqual([23])
    expect(hours('yesterday', Date.UTC(2026, 9, 26, 12))).toEqual([25])
    expect(hours('last week', Date.UTC(2026, 2, 31, 12))).toEqual([7 * 24 - 1])
    expect(hours('in the last 3 hours', Date.UTC(2026, 9, 25, 2))[0]).toBeCloseTo(3, 5)
  })

  test('begin a local day at local midnight', () => {
    const [read] = readTimes('on 1 July 2026', { now: wednesday, offsetAt: berlin })
    expect(read).toMatchObject({ from: Date.UTC(2026, 5, 30, 22), before: Date.UTC(2026, 6, 1, 22) })
  })

  test('that skip midnight begin the day at the change; a midnight shown twice is the earlier one', () => {
    // Clocks go from 00:00 to 01:00, and from 00:00 back to 23:00 of the day before.
    const saoPaulo = zone(-3 * 3_600_000, Date.UTC(2026, 9, 18, 3), Date.UTC(2027, 1, 21, 2))
    expect(instantOf(Date.UTC(2026, 9, 18), saoPaulo)).toBe(Date.UTC(2026, 9, 18, 3))
    const cuba = zone(-5 * 3_600_000, Date.UTC(2026, 2, 8, 5), Date.UTC(2026, 10, 1, 5))
    expect(instantOf(Date.UTC(2026, 10, 1), cuba)).toBe(Date.UTC(2026, 10, 1, 4))
  })
})
