/** [H7] Tests `about`: what a store knows of a subject, sorted by what holds now, with reasons and days. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { About, RecordInput } from '../../../src/core/index.ts'
import { openRecall, type Recall } from '../../../src/index.ts'

const day = 86_400_000
const start = Date.UTC(2026, 0, 1)
const at = (days: number) => start + days * day
const told = (id: string, body: string, days: number, more: Partial<RecordInput> = {}): RecordInput => ({
  id,
  body,
  createdAt: at(days),
  updatedAt: at(days),
  ...more,
})
const lives = [
  told('berlin', 'Anna lives in Berlin.', 0),
  told('volvo', 'The car of Anna is a Volvo.', 1),
  told('hamburg', 'Anna moved to Hamburg.', 9),
  told('tesla', 'The car of Anna is a Tesla now.', 20),
  told('bremen', 'Anna lives in Bremen now.', 30),
  told('bike', 'Anna rides a red bike.', 31),
]
const others = Array.from({ length: 30 }, (_, i) => told(`other-${i}`, `Town ${i} has a river and a market.`, i))

let store: Recall
beforeEach(async () => {
  store = await openRecall({ name: 'about', embedder: null, now: () => at(100) })
})
afterEach(() => store.close())

const ids = (statements: About['current']) => statements.map(({ id }) => id)

describe('[H7] about', () => {
  test('names what holds now, the latest first, then what led to each, the latest first', async () => {
    await store.put([...lives, ...others])
    const known = await store.about('Anna')
    expect(ids(known.current)).toEqual(['bike', 'bremen', 'tesla'])
    expect(ids(known.earlier)).toEqual(['hamburg', 'berlin', 'volvo'])
    expect(known.earlier.map(({ replacedBy }) => replacedBy)).toEqual(['bremen', 'bremen', 'tesla'])
    expect(known.earlier[2]?.reasons).toEqual(['replaced by “The car of Anna is a Tesla now.”, 21 January 2026'])
    expect(known.current[2]?.reasons).toEqual(['replaces “The car of Anna is a Volvo.”, 2 January 2026'])
    expect(known).toMatchObject({ subject: 'Anna', upcoming: [], truncated: false })
    expect(known.evidence.strength).not.toBe('none')
    // Control: a recall of the name ranks them otherwise.
    const { hits } = await store.recall({ text: 'Anna', changes: 'off' })
    expect(hits.map(({ id }) => id)).not.toEqual([...ids(known.current), ...ids(known.earlier)])
  })

  test.each([
    'What do you know about Anna?',
    'anna',
    'Tell me everything about Anna',
    'Was weißt du über Anna?',
    '¿Qué sabes sobre Anna?',
  ])('reads the subject of "%s"', async (subject) => {
    await store.put([...lives, ...others])
    expect(ids((await store.about(subject)).current)).toEqual(['bike', 'bremen', 'tesla'])
  })

  test('does not depend on the order of the puts', async () => {
    await store.put([...others, ...lives.toReversed()])
    const known = await store.about('Anna')
    expect([ids(known.current), ids(known.earlier)]).toEqual([
      ['bike', 'bremen', 'tesla'],
      ['hamburg', 'berlin', 'volvo'],
    ])
  })

  test('follows validity, expiry, status and names of successors', async () => {
    await store.put([
      told('gym', 'Anna has a gym card.', 1, { validUntil: at(50) }),
      told('code', 'Anna has the door code 4711.', 2, { expiresAt: at(60) }),
      told('old', 'Anna prefers the old form.', 3, { status: 'deprecated' }),
      told('first', 'The plan of Anna has two steps.', 4, { status: 'superseded', supersededBy: 'second' }),
      told('second', 'It has three steps.', 5),
      told('lost', 'Anna keeps the lost list.', 6, { supersededBy: 'gone' }),
      told('later', 'Anna leads the team.', 7, { validFrom: at(300) }),
      told('soon', 'Anna takes the course.', 8, { validFrom: at(200) }),
    ])
    const known = await store.about('Anna')
    expect(ids(known.current)).toEqual(['second'])
    expect(Object.fromEntries(known.earlier.map(({ id, reasons }) => [id, reasons]))).toEqual({
      first: ['replaced by “It has three steps.”, 6 January 2026'],
      lost: ['replaced by gone'],
      old: ['deprecated'],
      code: ['expired on 2 March 2026'],
      gym: ['valid until 20 February 2026'],
    })
    expect(ids(known.upcoming)).toEqual(['soon', 'later'])
    expect(ids((await store.about('Anna', { now: at(250) })).current)).toEqual(['soon', 'second'])
    // The last ms belongs to the time after.
    const currentAt = async (now: number) => ids((await store.about('Anna', { now })).current)
    expect([await currentAt(at(50) - 1), await currentAt(at(50)), await currentAt(at(60))]).toEqual([
      ['second', 'code', 'gym'],
      ['second', 'code'],
      ['second'],
    ])
    expect(await currentAt(at(200))).toEqual(['soon', 'second'])
  })

  test('two statements that were settled as both right are both current', async () => {
    await store.put(lives.slice(0, 3))
    await store.put(told('ulm', 'Anna lives in Ulm now.', 40), { findContradictions: true })
    expect(ids((await store.about('Anna')).current)).toEqual(['ulm', 'volvo'])
    await store.acknowledge(['ulm'], { ulm: 'dismissed' })
    expect(ids((await store.about('Anna')).current)).toContain('hamburg')
  })

  test('equal texts count once, in their last place', async () => {
    await store.put([lives[0]!, told('again', 'Anna lives in Berlin.', 5), ...others])
    const { current } = await store.about('Anna')
    expect(current.map(({ id, copies }) => [id, copies])).toEqual([['again', ['berlin']]])
  })

  test('reads no questions and no small talk, and says who spoke', async () => {
    await store.remember(
      [
        { role: 'user', name: 'Ada', content: 'Where does Anna live?', createdAt: at(1) },
        { role: 'assistant', content: 'I think Anna lives in Berlin.', createdAt: at(2) },
        { role: 'user', name: 'Ada', content: 'I told you: Anna lives in Kiel.', createdAt: at(3) },
      ],
      { session: 's' },
    )
    const known = await store.about('Anna')
    expect([...known.current, ...known.earlier].map(({ speaker }) => speaker).sort()).toEqual(['Ada', 'assistant'])
  })

  test('"me" is the person who asks: their turns, and notes in the first person', async () => {
    await store.put([...lives, told('note', 'My manager is Tom.', 1), told('doc', `I ${'word '.repeat(300)}`, 2)])
    await store.remember(
      [
        { role: 'user', content: 'I live in Kiel.', createdAt: at(3) },
        { role: 'assistant', content: 'I am a helpful assistant.', createdAt: at(4) },
        { role: 'user', content: 'Where do I live?', createdAt: at(5) },
      ],
      { session: 's' },
    )
    const known = await store.about('What do you know about me?')
    expect(known.current.map(({ record }) => record.body)).toEqual(['I live in Kiel.', 'My manager is Tom.'])
  })

  test('without a record that holds every word, takes what a recall finds by its words; of nothing it knows nothing', async () => {
    await store.put([...lives, ...others])
    expect(ids((await store.about("Anna's bycicle")).current)).toContain('bike')
    expect(await store.about('Zebedee')).toMatchObject({ current: [], earlier: [], upcoming: [] })
  })

  test('stays in its scope and its limit', async () => {
    await store.put(lives.map((record, i) => ({ ...record, project: i % 2 === 0 ? 'a' : 'b' })))
    const known = await store.about('Anna', { scope: { project: 'a' } })
    expect([...known.current, ...known.earlier].every(({ record }) => record.project === 'a')).toBe(true)
    const few = await store.about('Anna', { limit: 2 })
    expect([ids(few.current), few.truncated]).toEqual([['bike', 'bremen'], true])
  })

  test.each([
    ['', {}, 'subject'],
    ['  ', {}, 'subject'],
    [3, {}, 'subject'],
    ['x'.repeat(100_000), {}, 'subject'],
    ['Anna', { limit: 0 }, 'options.limit'],
    ['Anna', { limit: 501 }, 'options.limit'],
    ['Anna', { scope: { projects: 'a' } }, 'options.scope.projects'],
    ['Anna', { now: 'today' }, 'options.now'],
    ['Anna', { topic: 'a' }, 'options.topic'],
  ])('refuses %j with %j, and names the field', async (subject, options, field) => {
    await expect(store.about(subject as string, options as object)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field,
    })
  })
})
