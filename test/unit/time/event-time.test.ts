/** Checks of which times a record speaks. */
import { describe, expect, test } from 'vitest'
import { type EventKind, eventTimesOf, shareInside } from '../../../src/core/time/event-time.ts'

const createdAt = Date.UTC(2026, 4, 8, 15)
const empty = { occurredAt: null, title: null, summary: null, body: null }
const day = (year: number, month: number, date: number, days = 1) => ({
  from: Date.UTC(year, month - 1, date),
  before: Date.UTC(year, month - 1, date + days),
  rule: null,
})
const ofBody = (body: string) => eventTimesOf({ ...empty, body }, createdAt)

describe('the times of a record', () => {
  test('are occurredAt alone, if given', () => {
    const only = [{ kind: 'instant', from: 5, before: 5, rule: null }]
    expect(eventTimesOf({ ...empty, occurredAt: 5, body: 'yesterday' }, createdAt)).toEqual(only)
  })

  test('are what the text names, against its creation', () => {
    expect(ofBody('Yesterday we went kayaking.')).toEqual([{ kind: 'relative', ...day(2026, 5, 7) }])
    const since = { kind: 'named', from: Date.UTC(2026, 4, 1), before: createdAt, rule: null }
    expect(ofBody('I have lived here since 2026-05-01.')).toEqual([since])
    expect(ofBody('Out on 5 May 2026, back on 12 May 2026.')).toEqual([
      { kind: 'named', ...day(2026, 5, 5) },
      { kind: 'named', ...day(2026, 5, 12) },
    ])
  })

  test.each(['2026-05-03', 'Notes of 2026-05-03', '2026-05-03 Standup.md', 'scan_05-03-2026.pdf', '3 May 2026'])(
    'begin with the day of the title: %s',
    (title) => {
      const [own] = eventTimesOf({ ...empty, title, body: 'It rained yesterday.' }, createdAt)
      // English writes 05-03 in both orders.
      if (!title.startsWith('scan')) expect(own).toEqual({ kind: 'day', ...day(2026, 5, 3) })
    },
  )

  test('may be a month or a year of the title', () => {
    expect(eventTimesOf({ ...empty, title: '1984' }, createdAt)[0]).toEqual({ kind: 'title', ...day(1984, 1, 1, 366) })
    expect(eventTimesOf({ ...empty, title: 'invoice-2026-04.pdf' }, createdAt)).toEqual([])
    expect(eventTimesOf({ ...empty, title: 'invoice 2026-04.pdf' }, createdAt)[0]?.kind).toBe('title')
  })

  test('are the nearer year of a date without one, and both weeks of a weekday', () => {
    expect(ofBody('The party is on 15 June.')).toEqual([{ kind: 'guessed', ...day(2026, 6, 15) }])
    expect(ofBody('The party was on 15 January.')).toEqual([{ kind: 'guessed', ...day(2026, 1, 15) }])
    expect(ofBody('Parents visit from 20 to 27 May')).toEqual([{ kind: 'range', ...day(2026, 5, 20, 8) }])
    expect(ofBody('The deploy is on Monday.')).toEqual([
      { kind: 'weekday', ...day(2026, 5, 11) },
      { kind: 'weekday', ...day(2026, 5, 4) },
    ])
  })

  test('are the days of both months of a day without its month, and the nearer of a Friday the 13th', () => {
    expect(ofBody('The dentist is on the 30th.')).toEqual([
      { kind: 'guessed', ...day(2026, 5, 30) },
      { kind: 'guessed', ...day(2026, 4, 30) },
    ])
    expect(ofBody('We fly on Friday the 13th.')).toEqual([{ kind: 'guessed', ...day(2026, 3, 13) }])
    expect(ofBody('Rent is due by the 3rd.')).toHaveLength(2)
    for (const both of ['Rent is due on the 1st and the 15th', 'Miete am 1. und am 15.', 'loyer le 1er et le 15'])
      expect(ofBody(both), both).toHaveLength(4)
    expect(ofBody('on the 1st and 15 euros')).toHaveLength(2)
  })

  test('are both weeks of a weekday at the end of a note, and a time ahead', () => {
    expect(ofBody('Lunch with Ana Friday').map(({ kind }) => kind)).toEqual(['weekday', 'weekday'])
    expect(ofBody('Lunch on Black Friday')).toEqual([])
    expect(ofBody('The boiler man comes in two weeks').map(({ kind }) => kind)).toEqual(['weekday'])
  })

  test.each(['歯医者 6月3日 10時', '2026年6月3日に会う', '6월 3일 결혼식', '体检６月３日'])(
    'of East Asian texts: %s',
    (text) => {
      expect(ofBody(text)).toMatchObject([day(2026, 6, 3)])
    },
  )

  test('are none without a time in the text', () => {
    expect(ofBody('The noodle place is closed.')).toEqual([])
    expect(eventTimesOf(empty, createdAt)).toEqual([])
  })

  test.each([
    ['Gym every Monday and Thursday', 'w1,4'],
    ['Yoga on Tuesdays', 'w2'],
    ['Pay the rent on the 1st of every month', 'm1'],
    ['Payday is the last day of the month', 'm32'],
    ['Take the pills on weekdays', 'w1,2,3,4,5'],
    ['Choir every second Friday', 'b5'],
    ['Book club on the last Tuesday of every month', 'n5,2'],
    ['Board on the first Monday of each month', 'n1,1'],
    ["Mum's birthday is on 5 May", 'y5-5'],
    ['Renew the pass every year on 3 December', 'y12-3'],
    ['Sport jeden Montag und Donnerstag', 'w1,4'],
    ['Sport montags', 'w1'],
    ['Miete am 1. jedes Monats', 'm1'],
    ['Chor jeden zweiten Freitag', 'b5'],
    ['Tabletten werktags', 'w1,2,3,4,5'],
    ['Stammtisch am letzten Dienstag im Monat', 'n5,2'],
    ['Oma hat am 5. Mai Geburtstag', 'y5-5'],
    ['Gym tous les lundis et jeudis', 'w1,4'],
    ['Le loyer, le 1er de chaque mois', 'm1'],
    ['Chorale un vendredi sur deux', 'b5'],
    ['Gimnasio todos los lunes y jueves', 'w1,4'],
    ['Alquiler el 1 de cada mes', 'm1'],
    ['Pastillas todos los días', 'w1,2,3,4,5,6,7'],
    ['Ginásio todas as segundas e quintas', 'w1,4'],
    ['Renda no dia 1 de cada mês', 'm1'],
    ['Palestra ogni lunedì e giovedì', 'w1,4'],
    ['Affitto il 1 di ogni mese', 'm1'],
    ['Coro ogni due venerdì', 'b5'],
    ['Sporten elke maandag en donderdag', 'w1,4'],
    ['Huur op de 1e van elke maand', 'm1'],
    ['Koor om de vrijdag', 'b5'],
  ])('repeat: %s', (body, rule) => {
    expect(ofBody(body).map((event) => event.rule)).toEqual([rule])
  })
})

describe('the share of an event in a window', () => {
  const event = (from: number, before: number, kind: EventKind = 'named', rule: string | null = null) =>
    ({ kind, from, before, rule }) as const
  const window = (from: number | null, before: number | null) => ({ from, before, local: [from, before] }) as const

  test('is 1 or 0 for an instant, the part of an interval else', () => {
    const some = window(10, 20)
    expect([9, 10, 19, 20].map((at) => shareInside(event(at, at, 'instant'), some))).toEqual([0, 1, 1, 0])
    expect(shareInside(event(15, 25), some)).toBe(0.5)
    expect(shareInside(event(20, 25), some)).toBe(0)
    expect(shareInside(event(15, 25), window(12, null))).toBe(1)
  })

  test('is 1 for what lasts from day to day', () => {
    expect(shareInside(event(15, 25, 'range'), window(10, 20))).toBe(1)
  })

  test('[Q8] is that of the clock, but of an instant', () => {
    const tenthInNewYork = { from: 300, before: 1740, local: [0, 1440] } as const
    expect(shareInside(event(0, 1440, 'day'), tenthInNewYork)).toBe(1)
    expect(shareInside(event(1440, 2880, 'day'), tenthInNewYork)).toBe(0)
    expect(shareInside(event(1500, 1500, 'instant'), tenthInNewYork)).toBe(1)
  })

  test.each([
    ['w1,4', '2026-05-11', 1],
    ['w1,4', '2026-05-12', 0],
    // Not before it was written.
    ['w1,4', '2026-05-04', 0],
    ['b5', '2026-05-08', 1],
    ['b5', '2026-05-15', 0],
    ['b5', '2026-05-22', 1],
    ['m31', '2026-06-30', 0],
    ['m32', '2026-06-30', 1],
    ['n5,2', '2026-05-26', 1],
    ['n5,2', '2026-05-19', 0],
    ['n1,1', '2026-06-01', 1],
    ['y12-3', '2030-12-03', 1],
  ])('follows the rule %s on %s', (rule, on, share) => {
    const start = Date.UTC(2026, 4, 8)
    const from = Date.parse(on)
    expect(shareInside(event(start, start, 'repeated', rule), window(from, from + 86_400_000))).toBe(share)
  })
})
