/** Tests lists of matches: `matching: 'only'`, and how `list` and `facets` read a text that is still being typed. */
import { describe, expect, test } from 'vitest'
import type { RecallQuery } from '../../../../src/core/model/query.ts'
import { staticEmbedder } from '../../../../src/embedders/index.ts'
import { openEngine } from '../../../support/stores/open-engine.ts'

const embedder = staticEmbedder()
const now = Date.UTC(2026, 5, 1)
const notes = [
  ...Array.from({ length: 12 }, (_, i) => ({
    id: `bread${i}`,
    title: `Bread ${i}`,
    body: 'Starter, flour, water and salt.',
    kind: 'recipe',
  })),
  ...Array.from({ length: 12 }, (_, i) => ({
    id: `bike${i}`,
    title: `Bicycle ${i}`,
    body: 'The chain needs oil.',
    kind: 'repair',
  })),
  { id: 'swim', title: null, body: 'Swam in the lake with Jo.', occurredAt: Date.UTC(2026, 4, 13), kind: 'diary' },
]

describe.each(['words', 'hybrid'])('%s', (kind) => {
  const opened =
    kind === 'words'
      ? openEngine()
      : openEngine(
          { space: { name: embedder.space, dimensions: embedder.dimensions } },
          { embed: (texts, role) => embedder.embed(texts, role) },
        )
  const filled = opened.then(async ({ call }) => {
    await call('put', { batch: notes })
    return call
  })
  const ask = async (query: RecallQuery) => (await filled)('recall', { query: { now, limit: 20, ...query } })
  const ids = async (query: RecallQuery) => (await ask(query)).hits.map(({ id }) => id).sort()

  test.each(['zzz', 'dough', 'qqxx ww'])('brings nothing for "%s", which no record holds', async (text) => {
    expect(await ids({ text, matching: 'only' })).toEqual([])
    expect((await ask({ text, matching: 'only', prefix: 'last' })).evidence.strength).toBe('none')
  })

  test.each(['bread', 'bread st', 'bre', '"bread 1"', 'chian', 'bicyle'])(
    'for "%s" has only records that match',
    async (text) => {
      const query = { text, prefix: 'last' } as const
      const only = await ids({ ...query, matching: 'only' })
      expect(only.length).toBeGreaterThan(0)
      const begins = text.includes('b') && !text.startsWith('bi') ? 'bread' : 'bike'
      expect(only.filter((id) => !id.startsWith(begins))).toEqual([])
      const all = await ids(query)
      expect(only.every((id) => all.includes(id))).toBe(true)
    },
  )

  test('has the records of a time that the text names', async () => {
    expect(await ids({ text: 'who did I see on 13 May?', matching: 'only' })).toContain('swim')
  })

  test('lists all records for a text without words', async () => {
    expect(await ids({ matching: 'only', limit: 100 })).toHaveLength(notes.length)
  })

  test.each(['tokenpak', 'ctxsift', 'secondBrain'])('under %s, too', async (policy) => {
    const found = await ids({ text: 'oil', policy, matching: 'only' })
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((id) => !id.startsWith('bike'))).toEqual([])
  })

  test('a record that holds every word, the last as a beginning, is weak evidence', async () => {
    expect((await ask({ text: 'bread st', prefix: 'last' })).evidence.strength).toBe('weak')
    expect((await ask({ text: 'bread zz', prefix: 'last' })).evidence.strength).toBe('none')
  })

  test('why explains why a record does not match', async () => {
    const call = await filled
    const { selected, reason } = await call('why', { query: { text: 'bread', matching: 'only', now }, id: 'bike3' })
    expect(selected).toBe(false)
    expect(reason).toContain(kind === 'words' ? 'no shared term' : 'the query asks for matches of its words alone')
  })

  test('related finds records like a stored one', async () => {
    const call = await filled
    const related = await call('related', { id: 'bread3', request: { limit: 5, now } })
    expect(related.map(({ id }) => id.slice(0, 5))).toEqual(Array(5).fill('bread'))
    expect(related.some(({ id }) => id === 'bread3')).toBe(false)
    expect(await call('related', { id: 'bread3', request: { scope: { kind: 'diary' }, now } })).toSatisfy(
      (hits: readonly { readonly id: string }[]) => hits.every(({ id }) => id === 'swim'),
    )
  })
})

describe('list and facets', () => {
  const filled = openEngine({}).then(async ({ call }) => {
    await call('put', { batch: notes })
    return call
  })
  const matched = async (text: string, reading: object) => {
    const call = await filled
    const { matched } = await call('facets', { request: { keys: ['kind'], text, ...reading } })
    expect((await call('list', { filter: { text, ...reading } })).items).toHaveLength(matched)
    return matched
  }

  test.each([
    ['brea', { prefix: 'last' }, 12],
    ['bread st', { prefix: 'last' }, 12],
    ['bread zz', { prefix: 'last' }, 0],
    ['bicyle', { typos: 'auto' }, 12],
    ['chian', { typos: 'auto' }, 12],
    ['chian oil', { typos: 'auto' }, 12],
    ['bicyle fl', { prefix: 'last', typos: 'auto' }, 0],
    ['bicyle ch', { prefix: 'last', typos: 'auto' }, 12],
    ['brea', {}, 0],
    ['bicyle', {}, 0],
  ])('for "%s" under %o there are %i', async (text, reading, count) => {
    expect(await matched(text, reading)).toBe(count)
  })

  test('a page of another reading refuses the cursor', async () => {
    const call = await filled
    const filter = { text: 'brea', prefix: 'last', limit: 5 } as const
    const { nextCursor } = await call('list', { filter })
    expect((await call('list', { filter: { ...filter, cursor: nextCursor } })).items).toHaveLength(5)
    await expect(call('list', { filter: { ...filter, prefix: 'none', cursor: nextCursor } })).rejects.toMatchObject({
      code: 'INVALID_CURSOR',
    })
  })

  test.each([
    [{ prefix: 'first' }, 'prefix'],
    [{ typos: true }, 'typos'],
  ])('%o is refused', async (reading, field) => {
    const call = await filled
    await expect(call('list', { filter: { text: 'a', ...reading } as never })).rejects.toMatchObject({
      field: `filter.${field}`,
    })
    await expect(call('facets', { request: { keys: ['kind'], ...reading } as never })).rejects.toMatchObject({
      field: `request.${field}`,
    })
    await expect(call('recall', { query: { text: 'a', matching: 'all' } as never })).rejects.toMatchObject({
      field: 'query.matching',
    })
  })

  test('related refuses an id without a record, and unknown fields', async () => {
    const call = await filled
    await expect(call('related', { id: 'nobody' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'id' })
    await expect(call('related', { id: 'swim', request: { k: 3 } as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    })
  })
})
