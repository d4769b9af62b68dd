/** Checks that questions find what is of a day: titles that are dates, days to come, times that repeat, times of day, days in any zone. */
import { describe, expect, test } from 'vitest'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import { openEngine, type TestEngine } from '../../support/stores/open-engine.ts'

const now = Date.UTC(2026, 10, 18, 10, 30)
const daysAgo = (days: number) => now - days * 86_400_000

const ask = ({ call }: TestEngine, query: RecallQuery) => call('recall', { query: { now, ...query } }, now)
const idsOf = ({ hits }: { readonly hits: readonly { readonly id: string }[] }) => hits.map(({ id }) => id)

describe('a date as a title', () => {
  const titles = [
    '1984',
    '2001: A Space Odyssey',
    'September 11',
    'invoice-2026-06.pdf',
    'scan_06-17-2026.pdf',
    'scan_06-18-2026.pdf',
    '2024-06-19 Standup.md',
    '2024-06-20',
    '17 July 2025',
    'Novel',
  ]

  test.each([
    ['1984', '1984'],
    ['2001', '2001: A Space Odyssey'],
    ['September 11', 'September 11'],
    ['2026-06', 'invoice-2026-06.pdf'],
    ['06-17-2026', 'scan_06-17-2026.pdf'],
    ['17 June 2026', 'scan_06-17-2026.pdf'],
    ['2026-06-17', 'scan_06-17-2026.pdf'],
    ['19 June 2024', '2024-06-19 Standup.md'],
    ['19. Juni 2024', '2024-06-19 Standup.md'],
    ['le 19 juin 2024', '2024-06-19 Standup.md'],
    ['el 19 de junio de 2024', '2024-06-19 Standup.md'],
    ['20.06.2024', '2024-06-20'],
    ['2025-07-17', '17 July 2025'],
    ['07/17/2025', '17 July 2025'],
  ])('[Q7] %s finds %s with strong evidence', async (text, title) => {
    const engine = await openEngine()
    const batch = titles.map((one) => ({ id: one, title: one, body: 'Some words.', createdAt: daysAgo(3) }))
    await engine.call('put', { batch }, now)
    const { hits, evidence } = await ask(engine, { text })
    expect(hits[0]!.id).toBe(title)
    expect(evidence.strength).toBe('strong')
  })

  test('[Q7] control: another day is not strong evidence', async () => {
    const engine = await openEngine()
    await engine.call('put', { batch: [{ id: 'a', title: '2024-06-20', body: 'Words.', createdAt: daysAgo(3) }] }, now)
    expect((await ask(engine, { text: '2024-06-21' })).evidence.strength).toBe('none')
    const { evidence } = await ask(engine, { text: 'words of 2024-06-21' })
    expect(evidence.strength).toBe('weak')
  })
})

describe('days to come', () => {
  const plans = {
    dentist: 'Dentist on 3 December at 10:00',
    gym: 'Gym every Monday and Thursday',
    parents: 'Parents visit from 20 to 27 December',
    rent: 'Pay the rent on the 1st of every month',
    mum: "Mum's birthday is on 5 May",
    choir: 'Choir every second Friday at 19:30',
    flight: 'Flight to Lisbon on 24 November 2026 at 7:15 am',
    tax: 'The tax return is due by 31 January 2027',
    haircut: 'Haircut tomorrow at 16:00',
    dinner: 'Dinner with Sam on Saturday',
    swim: 'Swam in the lake with Jo last Sunday',
    wifi: 'The wifi password is kestrel',
  }

  test.each([
    ['anything on 3 December?', ['dentist', 'gym']],
    ['what do I have next week?', ['flight', 'gym']],
    ['what is on Monday?', ['gym']],
    ['am I free on 22 December?', ['parents']],
    ['what is on 1 February?', ['rent', 'gym']],
    ['anything on 5 May?', ['mum']],
    ['anything on Friday?', ['choir']],
    ['what do I have on 31 January 2027?', ['tax']],
    ['what do I have tomorrow?', ['haircut', 'gym']],
    ['what is on Saturday?', ['dinner']],
    ['what happened last Sunday?', ['swim']],
    ['what is on 24 November 2026 at 7:15?', ['flight']],
    ['when do my parents come?', ['parents']],
    ['what happened on Monday?', []],
  ])('[Q7] %s', async (text, ids) => {
    const engine = await openEngine()
    const batch = Object.entries(plans).map(([id, body]) => ({ id, body, createdAt: daysAgo(0) - 3_600_000 }))
    await engine.call('put', { batch }, now)
    const answer = await ask(engine, { text })
    expect(idsOf(answer)).toEqual(ids)
    expect(answer.evidence.strength).toBe(ids.length === 0 ? 'none' : 'weak')
  })

  test.each([
    ['what was asked at 10:57 on 15 July 2017?', 'l59'],
    ['2017-07-15 10:57', 'l59'],
    ['what happened on 15 July 2017 at 10.57 am', 'l59'],
    ['was geschah am 15. Juli 2017 um 10:57 Uhr', 'l59'],
  ])('[Q7] the time of day: %s', async (text, id) => {
    const engine = await openEngine()
    const line = (i: number) => ({ id: `l${i}`, body: `line ${i}`, createdAt: Date.UTC(2017, 6, 15, 8) + i * 180_000 })
    const others = { id: 'other', body: 'what was asked', createdAt: Date.UTC(2017, 6, 18) }
    await engine.call('put', { batch: [...Array.from({ length: 90 }, (_, i) => line(i)), others] }, now)
    expect(idsOf(await ask(engine, { text }))[0]).toBe(id)
    const hour = await ask(engine, { text: 'what happened on 15 July 2017 at 3 am' })
    expect(hour.hits).toHaveLength(10)
  })
})

describe('a day that a text names', () => {
  test.each(['America/New_York', 'Pacific/Auckland', 'Asia/Kolkata', 'UTC'])(
    '[Q8] is that day in %s',
    async (timeZone) => {
      const engine = await openEngine()
      const days = [9, 10, 11].map((date) => `2026-03-${String(date).padStart(2, '0')}`)
      const batch = days.map((title) => ({ id: title, title, body: 'diary entry', createdAt: Date.parse(title) }))
      await engine.call('put', { batch }, now)
      expect(idsOf(await ask(engine, { text: 'diary entry of 10 March 2026', timeZone }))[0]).toBe('2026-03-10')
      expect(idsOf(await ask(engine, { text: 'what happened on 10 March?', timeZone }))).toEqual(['2026-03-10'])
    },
  )

  test('[Q8] control: the time at which a record was stored is read in the zone', async () => {
    const engine = await openEngine()
    const late = { id: 'late', body: 'We swam yesterday.', createdAt: Date.UTC(2026, 2, 11, 2) }
    await engine.call('put', { batch: [late, { id: 'other', body: 'wifi', createdAt: 0 }] }, now)
    const text = 'what happened on 9 March 2026?'
    expect(idsOf(await ask(engine, { text, timeZone: 'America/New_York' }))).toEqual(['late'])
    expect(idsOf(await ask(engine, { text }))).toEqual([])
  })
})
