/** Checks what times in a question do to an answer, and in which time records are found. */
import { describe, expect, test } from 'vitest'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import { probabilityOf } from '../../../src/core/evidence/probability.ts'
import { balanced } from '../../../src/core/policies/balanced.ts'
import { openEngine, type TestEngine } from '../../support/stores/open-engine.ts'

const now = Date.UTC(2026, 10, 18, 10, 30)
const dayMs = 86_400_000
const daysAgo = (days: number) => now - days * dayMs

const notes = [
  { id: 'old', title: 'Review', body: 'Mira asked for a review of the parser.', createdAt: daysAgo(200) },
  { id: 'week', title: 'Review', body: 'Tom wrote a review of the lexer.', createdAt: daysAgo(8) },
  { id: 'lunch', title: 'Lunch', body: 'Noodles on Weber street.', createdAt: daysAgo(6) },
  { id: 'today', title: 'Review', body: 'Ada began a review of the linker.', createdAt: daysAgo(0) },
  { id: 'told', title: 'Trip', body: 'Two weeks ago we went kayaking.', createdAt: daysAgo(1) },
  { id: 'planned', title: 'Trip', body: 'Hiking in the hills.', createdAt: daysAgo(1), occurredAt: daysAgo(9) },
].map((note) => ({ ...note, updatedAt: note.createdAt }))

async function opened(): Promise<TestEngine> {
  const engine = await openEngine()
  await engine.call('put', { batch: notes }, now)
  return engine
}

const ask = ({ call }: TestEngine, query: RecallQuery) => call('recall', { query: { now, ...query } }, now)
const idsOf = ({ hits }: { readonly hits: readonly { readonly id: string }[] }) => hits.map(({ id }) => id)

describe('a question with a time', () => {
  test('ranks records of that time first and says so', async () => {
    const engine = await opened()
    const answer = await ask(engine, { text: 'review last week' })
    expect(idsOf(answer)[0]).toBe('week')
    expect(answer.plan.read).toEqual([
      { kind: 'time', text: 'last week', from: Date.UTC(2026, 10, 9), before: Date.UTC(2026, 10, 16) },
    ])
    expect(answer.hits[0]!.reasons).toContain('last week: 9 to 15 November 2026')
    const time = answer.hits[0]!.contributions.find(({ signal }) => signal === 'time')!
    expect(time.value).toBe(1)
    const least = balanced.fusion.kind === 'convex' ? balanced.fusion.time! : 0
    expect(time.weight).toBeGreaterThanOrEqual(least)
    expect(time.weight).toBeLessThanOrEqual(4 * least)
  })

  test('hides no record, and changes nothing for the others', async () => {
    const engine = await opened()
    const timed = await ask(engine, { text: 'review last week' })
    const plain = await ask(engine, { text: 'review' })
    const ofLastWeek = ['lunch', 'planned']
    expect([...idsOf(timed)].sort()).toEqual([...idsOf(plain), ...ofLastWeek].sort())
    const scoreOf = (answer: typeof plain, id: string) => answer.hits.find((hit) => hit.id === id)?.score
    for (const id of ['old', 'today']) expect(scoreOf(timed, id)).toBe(scoreOf(plain, id))
  })

  test('control: with times off the words are words', async () => {
    const engine = await opened()
    const answer = await ask(engine, { text: 'review last week', times: 'off' })
    expect(answer.plan.read).toEqual([])
    expect(answer.hits.flatMap(({ contributions }) => contributions.map(({ signal }) => signal))).not.toContain('time')
  })

  test('counts the words of the time as a phrase only', async () => {
    const engine = await opened()
    const batch = [
      { id: 'phrase', body: 'The show Last Week Tonight had a piece on parsers.', createdAt: daysAgo(300) },
      { id: 'words', body: 'At last a piece on parsers, it took the show a week.', createdAt: daysAgo(300) },
    ]
    await engine.call('put', { batch }, now)
    const termsOf = async (query: RecallQuery, id: string) =>
      (await ask(engine, query)).hits.find((hit) => hit.id === id)!.snippet.marks.length
    expect(await termsOf({ text: 'parsers last week', times: 'off' }, 'words')).toBeGreaterThan(1)
    const lexical = async (id: string) =>
      (await ask(engine, { text: 'parsers last week' })).hits
        .find((hit) => hit.id === id)!
        .contributions.find(({ signal }) => signal === 'lexical')!.value
    expect(await lexical('phrase')).toBeGreaterThan(await lexical('words'))
    const quoted = await ask(engine, { text: '"last week" parsers' })
    expect(quoted.plan.read).toEqual([{ kind: 'phrase', text: 'last week' }])
  })

  test('finds a date in another order of its parts', async () => {
    const engine = await opened()
    await engine.call('put', { batch: [{ id: 'title', title: '15 November, 2026', body: 'Minutes.' }] }, now)
    const answer = await ask(engine, { text: 'minutes of November 15, 2026' })
    expect(answer.hits[0]!.id).toBe('title')
    expect(answer.hits[0]!.matched).toContain('title')
  })

  test('that tells no records apart leaves the words as they are', async () => {
    const engine = await opened()
    const read = await ask(engine, { text: 'review of the parser in 2019' })
    const off = await ask(engine, { text: 'review of the parser in 2019', times: 'off' })
    expect(read.plan.read).toHaveLength(1)
    expect(read.plan.notes.at(-1)).toMatch(/^"2019": no record of the scope/)
    expect(read.hits).toEqual(off.hits)
    expect(read.evidence).toEqual({ ...off.evidence, strength: 'weak', probability: probabilityOf('wordsAlone', 1) })
  })

  const named = [
    { id: 'jun19', title: 'setTimeout', body: 'Deprecate negative delays. No objections.', at: Date.UTC(2024, 5, 19) },
    { id: 'jun26', title: 'Discord', body: 'We discussed the server and who moderates it.', at: Date.UTC(2024, 5, 26) },
    { id: 'jul03', title: 'Stats', body: 'We discussed downloads. We decide who meets.', at: Date.UTC(2024, 6, 3) },
  ]
  const minutes = named.map(({ id, title, body, at }) => ({ id, title, body, createdAt: at, updatedAt: at }))
  const titled = named.map(({ id, title, body, at }) => ({
    id,
    title: `${new Date(at).toISOString().slice(0, 10)}: ${title}`,
    body,
  }))

  test.each(
    [
      'what was discussed on 19 June 2024?',
      'what did we decide on 19 June 2024?',
      'notes from June 19, 2024',
      'summary of the 2024-06-19 meeting',
      'who discussed downloads on 19 June 2024?',
      'was wurde am 19. Juni 2024 besprochen?',
      'de quoi a-t-on discuté le 19 juin 2024 ?',
      '¿qué se discutió el 19 de junio de 2024?',
    ].flatMap((text) => [[text, 'createdAt', minutes] as const, [text, 'titles', titled] as const]),
  )('[Q7] %s (days in %s)', async (text, _place, batch) => {
    const engine = await openEngine()
    await engine.call('put', { batch }, now)
    const { hits, evidence, plan } = await ask(engine, { text })
    expect(hits[0]!.id).toBe('jun19')
    // The date of a title counts as words, too.
    expect(evidence.strength === 'weak' || batch === titled).toBe(true)
    expect(plan.channels.times).toMatchObject({ ran: true, matched: 1 })
    const off = await ask(engine, { text, times: 'off' })
    expect(off.plan.channels.times).toBeUndefined()
  })

  test('[Q7] words that speak clearly for another time come first, but the evidence is not strong', async () => {
    const engine = await opened()
    const text = 'Mira asked for a review of the parser last week'
    const answer = await ask(engine, { text })
    expect(answer.hits[0]!.id).toBe('old')
    expect(answer.evidence.strength).toBe('weak')
    expect((await ask(engine, { text: text.replace(' last week', '') })).evidence.strength).toBe('strong')
    expect((await ask(engine, { text: text.replace('last week', 'in 2012') })).evidence.strength).toBe('weak')
  })

  test('[Q7] finds what is of a time in which nothing has a word of the question', async () => {
    const engine = await opened()
    const answer = await ask(engine, { text: 'anything important two weeks ago?' })
    expect(idsOf(answer)).toEqual(['told'])
    expect(answer.evidence.strength).toBe('weak')
    expect((await ask(engine, { text: 'anything important?' })).evidence.strength).toBe('none')
  })

  test('finds what a text says of its day', async () => {
    const engine = await opened()
    const answer = await ask(engine, { text: 'kayaking between 2 and 5 November 2026' })
    expect(answer.hits[0]!.id).toBe('told')
    const time = answer.hits[0]!.contributions.find(({ signal }) => signal === 'time')!
    expect(time.value).toBeCloseTo(4 / 7, 10)
  })
})

describe('a question that names only a time', () => {
  test.each([
    ['what did I do last week?', ['lunch', 'planned', 'week']],
    ['was habe ich letzte Woche gemacht', ['lunch', 'planned', 'week']],
    ["qu'ai-je fait la semaine dernière ?", ['lunch', 'planned', 'week']],
    ['what happened two weeks ago', ['told']],
    ['today', ['today']],
    ['in 2019', []],
  ])('%s', async (text, ids) => {
    const engine = await opened()
    const answer = await ask(engine, { text })
    expect([...idsOf(answer)].sort()).toEqual(ids)
    expect(answer.evidence.strength).toBe(ids.length === 0 ? 'none' : 'weak')
    const events = { week: 8, lunch: 6, today: 0, planned: 9, told: 16, old: 200 }
    const ages = idsOf(answer).map((id) => events[id as keyof typeof events])
    expect(ages).toEqual([...ages].sort((a, b) => a - b))
  })

  test('[S4] a larger limit only appends', async () => {
    const engine = await openEngine()
    const records = Array.from({ length: 30 }, (_, i) => ({
      id: `n${i}`,
      body: `Note ${i}`,
      createdAt: daysAgo(1) - i * 60_000,
    }))
    await engine.call('put', { batch: records }, now)
    const first = idsOf(await ask(engine, { text: 'what happened this week', limit: 7 }))
    const more = idsOf(await ask(engine, { text: 'what happened this week', limit: 25 }))
    expect(more.slice(0, 7)).toEqual(first)
    expect(more).toEqual(records.slice(0, 25).map(({ id }) => id))
  })

  test('respects the scope and names the channel', async () => {
    const engine = await opened()
    const answer = await ask(engine, { text: 'last week', scope: { ids: ['week', 'old'] } })
    expect(idsOf(answer)).toEqual(['week'])
    expect(answer.plan.channels.recent).toMatchObject({ ran: true, matched: 1 })
    expect(answer.hits[0]!.reasons).toContain('number 1 by time of event')
  })
})

describe('the time zone', () => {
  test('decides which day it is', async () => {
    const engine = await openEngine()
    const at = Date.UTC(2026, 10, 17, 23, 30)
    await engine.call('put', { batch: [{ id: 'late', body: 'A late note.', createdAt: at }] }, now)
    expect(idsOf(await ask(engine, { text: 'yesterday' }))).toEqual(['late'])
    expect(idsOf(await ask(engine, { text: 'yesterday', timeZone: 'Europe/Berlin' }))).toEqual([])
    expect(idsOf(await ask(engine, { text: 'today', timeZone: 'Europe/Berlin' }))).toEqual(['late'])
  })

  test('follows its clock changes', async () => {
    const engine = await openEngine()
    const spring = Date.UTC(2026, 2, 30, 12)
    const [read] = (await ask(engine, { text: 'yesterday', now: spring, timeZone: 'Europe/Berlin' })).plan.read
    expect(read).toMatchObject({ from: Date.UTC(2026, 2, 28, 23), before: Date.UTC(2026, 2, 29, 22) })
  })

  test('of a page is the device’s by default, in Node UTC', async () => {
    const restore = process.env.TZ
    process.env.TZ = 'Asia/Tokyo'
    try {
      const windowOf = async (runtime: 'worker' | 'inline', timeZone?: string) => {
        const engine = await openEngine({ runtime })
        return (await ask(engine, { text: 'yesterday', timeZone })).plan.read
      }
      expect(await windowOf('worker')).toEqual(await windowOf('inline', 'Asia/Tokyo'))
      expect(await windowOf('inline')).toEqual(await windowOf('worker', 'UTC'))
      expect(await windowOf('worker')).not.toEqual(await windowOf('inline'))
    } finally {
      if (restore === undefined) delete process.env.TZ
      else process.env.TZ = restore
    }
  })

  test('is not part of what identifies a question', async () => {
    const engine = await opened()
    const [some, other] = [
      await ask(engine, { text: 'review' }),
      await ask(engine, { text: 'review', timeZone: 'Asia/Tokyo' }),
    ]
    expect(other.receipt).toEqual(some.receipt)
  })

  test.each([
    ['Mars/Base', /timeZone.*IANA name/],
    [5, /timeZone.*IANA name/],
  ])('[E1] %s is refused', async (timeZone, message) => {
    const engine = await openEngine()
    await expect(ask(engine, { text: 'a', timeZone: timeZone as string })).rejects.toThrow(message)
  })

  test('[E1] times must be auto or off', async () => {
    const engine = await openEngine()
    await expect(ask(engine, { text: 'a', times: 'on' as 'off' })).rejects.toThrow(/times` must be one of auto, off/)
  })
})

describe('"last week" in texts', () => {
  const timeOf = async (createdAt: (i: number) => number) => {
    const engine = await openEngine()
    const batch = Array.from({ length: 240 }, (_, i) => ({
      id: `r${i}`,
      body: i % 20 === 0 ? `Pump ${i} broke last week.` : `Pump ${i} broke in the cellar.`,
      createdAt: createdAt(i),
    }))
    await engine.call('put', { batch }, now)
    const { hits } = await ask(engine, { text: 'which pump broke last week' })
    return hits[0]!.contributions.find(({ signal }) => signal === 'time')?.value
  }

  test('is of any week if the texts were imported on one day', async () => {
    expect(await timeOf(() => daysAgo(1))).toBe(0.1)
  })

  test('is the week before each text if they were written on many days', async () => {
    expect(await timeOf((i) => daysAgo(1 + (i % 60)))).toBeGreaterThan(0.9)
  })
})
