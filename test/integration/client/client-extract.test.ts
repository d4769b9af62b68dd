/** [H5] Tests facts that an extractor reads in the turns of `remember`: what is stored, what is left out, and that no turn is lost. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { extractFacts } from '../../../src/client/extract-facts.ts'
import { messagesToRecords } from '../../../src/core/ingest/messages-to-records.ts'
import { type Fact, type Message, openRecall, type Recall, type RememberOptions } from '../../../src/index.ts'

const start = Date.UTC(2026, 4, 8)
const turns: readonly Message[] = [
  { id: 'm1', role: 'user', name: 'Ada', content: 'I moved to Lisbon, and I am allergic to nuts.', createdAt: start },
  { id: 'm2', role: 'assistant', content: 'Lisbon is on the coast.', createdAt: start + 1_000 },
]
const lisbon: Fact = { text: 'Ada lives in Lisbon.', from: ['s/m1', 's/m2'], confidence: 0.9, tags: ['home'] }

const tiers = ['system', 'person', 'model'].map((id, i) => ({ id, priority: i + 1 }))
let store: Recall
beforeEach(async () => {
  store = await openRecall({ name: 'extract', embedder: null, now: () => start + 60_000 })
})
afterEach(() => store.close())

const remember = (extract: unknown, more: Partial<RememberOptions> = {}) =>
  store.remember(turns, { session: 's', extract: extract as RememberOptions['extract'], ...more })
const factsOf = async () => (await store.list({ kind: 'fact' })).items

describe('[H5] an extractor', () => {
  test('gets the stored turns and what is known, and its facts name their turns', async () => {
    const seen: unknown[] = []
    const extract: RememberOptions['extract'] = async (given, { known }) => {
      seen.push(given, known)
      return [lisbon]
    }
    const { records, facts } = await remember(extract, { record: { project: 'home' } })
    expect(records.map(({ outcome }) => outcome)).toEqual(['inserted', 'inserted'])
    expect(facts).toMatchObject({ stored: [{ outcome: 'inserted' }], skipped: [] })
    const [fact] = await factsOf()
    expect(fact).toMatchObject({
      body: 'Ada lives in Lisbon.',
      project: 'home',
      authority: 'llm_generated',
      confidence: 0.9,
      tags: ['home'],
      createdAt: start + 1_000,
      relations: ['s/m1', 's/m2'].map((target) => ({ kind: 'derived_from', target })),
    })
    expect(seen[0]).toMatchObject([
      { id: 's/m1', role: 'user', name: 'Ada', createdAt: start },
      { id: 's/m2', role: 'assistant', name: null },
    ])
    expect(seen[1]).toEqual([])
    const again = await remember(extract, { record: { project: 'home' } })
    expect(again.facts?.stored).toMatchObject([{ id: fact!.id, outcome: 'unchanged' }])
    expect(seen[3]).toEqual([{ id: fact!.id, text: 'Ada lives in Lisbon.' }])
  })

  test.each<[string, unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('no model')
      },
      'failed',
    ],
    ['rejects with nothing', () => Promise.reject(undefined), 'failed'],
    ['never answers', () => new Promise(() => undefined), 'late'],
    ['answers with a text', async () => 'Ada lives in Lisbon', 'invalid'],
    ['answers with nothing', async () => undefined, 'invalid'],
    [
      'answers with a trap',
      async () => [
        new Proxy(
          {},
          {
            get() {
              throw new Error('trap')
            },
          },
        ),
      ],
      'failed',
    ],
    ['gives no object', async () => ['Ada'], 'invalid'],
    ['gives no text', async () => [{ ...lisbon, text: ' ' }], 'invalid'],
    ['gives a text that is too long', async () => [{ ...lisbon, text: 'a'.repeat(2_001) }], 'too_long'],
    ['names no turn', async () => [{ ...lisbon, from: [] }], 'invalid'],
    ['names a turn of another call', async () => [{ ...lisbon, from: ['s/m1', 's/m9'] }], 'unknown_turn'],
    ['gives a wrong time', async () => [{ ...lisbon, occurredAt: 'today' }], 'invalid'],
    ['is too sure', async () => [{ ...lisbon, confidence: 2 }], 'invalid'],
    ['gives wrong tags', async () => [{ ...lisbon, tags: [''] }], 'invalid'],
    [
      'ends with an answer that is late',
      (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve([lisbon]))
        }),
      'late',
    ],
  ])('that %s costs no turn and stores no fact', async (_, extract, reason) => {
    const { records, facts } = await remember(extract, reason === 'late' ? { extractMs: 30 } : {})
    expect(records.map(({ outcome }) => outcome)).toEqual(['inserted', 'inserted'])
    expect(facts).toMatchObject({ stored: [], skipped: [{ reason }] })
    expect([await store.count(), (await factsOf()).length]).toEqual([2, 0])
  })

  test('that begins without what is known stores its facts, and the receipt says so', async () => {
    const records = messagesToRecords(turns, { session: 's' })
    const receipt = await store.put(records)
    const broken = { ...store, recall: () => Promise.reject(new Error('the index is away')) }
    const facts = await extractFacts(broken, records, receipt, { session: 's', extract: async () => [lisbon] })
    expect(facts).toMatchObject({ stored: [{ outcome: 'inserted' }], skipped: [{ at: null, reason: 'failed' }] })
    expect(facts.skipped[0]!.message).toMatch(/what is known was not read.*the index is away/)
  })

  test('that gives the same fact twice, or too many, has the rest stored', async () => {
    const many = Array.from({ length: 205 }, (_, i) => ({ ...lisbon, text: `Fact ${i} of Ada.` }))
    const { facts } = await remember(async () => [many[0], ...many])
    expect(facts!.stored).toHaveLength(199)
    expect(facts!.skipped.map(({ reason }) => reason)).toEqual(['duplicate', 'too_many'])
  })

  test('that is aborted leaves the turns', async () => {
    const stop = new AbortController()
    const extract = () => {
      stop.abort()
      return new Promise(() => undefined)
    }
    expect(await remember(extract, { signal: stop.signal })).toMatchObject({
      facts: { skipped: [{ reason: 'aborted' }] },
    })
    expect(await store.count()).toBe(2)
  })

  test('cannot change the turns that are stored', async () => {
    await remember(async (given: { text: string }[]) => {
      given[0]!.text = 'changed'
      return []
    })
    expect((await store.get('s/m1'))?.body).toBe(turns[0]!.content)
  })

  test('whose turns are forgotten meanwhile leaves no fact', async () => {
    const { facts } = await remember(async () => {
      await store.forget(['s/m1', 's/m2'])
      return [lisbon]
    })
    expect(facts).toMatchObject({ stored: [], skipped: [{ reason: 'unknown_turn' }] })
    expect(await factsOf()).toEqual([])
  })

  test.each([
    [{ extract: 'model' }, 'options.extract'],
    [{ extract: async () => [], extractMs: 0 }, 'options.extractMs'],
  ])('is refused as %j before anything is stored', async (more, field) => {
    await expect(remember(undefined, more as object)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field })
    expect(await store.count()).toBe(0)
  })
})

describe('[H5] a fact', () => {
  test('is forgotten with the last of its turns, and facts of facts with it; control: other derived records stay', async () => {
    await remember(async () => [lisbon])
    const [fact] = await factsOf()
    const relations = [{ kind: 'derived_from', target: fact!.id }]
    await store.put([
      { id: 'of-fact', kind: 'fact', body: 'Ada lives by the sea.', relations, metadata: { extracted: true } },
      { id: 'own', body: 'A summary of the app.', relations: [{ kind: 'derived_from', target: 's/m1' }] },
      { id: 'said', kind: 'fact', body: 'A fact of the app.', relations: [{ kind: 'derived_from', target: 's/m2' }] },
    ])
    expect((await store.forget('s/m1')).forgotten).toEqual(['s/m1'])
    expect(await factsOf()).toHaveLength(3)
    expect([...(await store.forget('s/m2')).forgotten].sort()).toEqual(['of-fact', fact!.id, 's/m2'].sort())
    expect((await store.list()).items.map(({ id }) => id).sort()).toEqual(['own', 'said'])
    expect(await store.verifyForgotten(fact!.id)).toMatchObject({ clean: true })
  })

  test('has at most the lowest authority tier of its turns', async () => {
    const own = await openRecall({ name: 'tiers', embedder: null, authority: { tiers } })
    await own.put([
      { id: 's/m1', body: 'a', authorityTier: 'person' },
      { id: 's/m2', body: 'b', authorityTier: 'model' },
    ])
    const { facts } = await own.remember(turns, {
      session: 's',
      record: { authorityTier: 'system' },
      extract: async () => [lisbon],
    })
    await own.patch('s/m2', { authorityTier: 'model' })
    expect((await own.get(facts!.stored[0]!.id))?.authorityTier).toBe('model')
    await own.close()
  })
})
