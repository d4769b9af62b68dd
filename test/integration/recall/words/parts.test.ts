/** Tests words that are found by the parts that capitals show in them, and letters that fold into others, in a store in English alone. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { RecallQuery } from '../../../../src/core/model/query.ts'
import type { EngineOptions } from '../../../../src/protocol/engine-options.ts'
import type { SqliteDatabase } from '../../../../worker/sqlite/sqlite-database.ts'
import { openEngine, type TestEngine } from '../../../support/stores/open-engine.ts'
import { openOver } from '../../../support/stores/open-over.ts'

async function found({ call }: TestEngine, text: string, more: RecallQuery = {}): Promise<readonly string[]> {
  return (await call('recall', { query: { text, typos: 'off', ...more } })).hits.map(({ id }) => id)
}

async function filled(bodies: Readonly<Record<string, string>>, options: Partial<EngineOptions> = {}) {
  const store = await openEngine(options)
  await store.call('put', { batch: Object.entries(bodies).map(([id, body]) => ({ id, body })) })
  return store
}

describe('parts of words with capitals inside', () => {
  let store: TestEngine
  beforeAll(async () => {
    store = await filled({
      hook: 'Call useEffect after the render.',
      names: 'The function getUserNames sends an XMLHttpRequest.',
      plain: 'The effect of the sun on a page.',
      script: 'JavaScript runs in pages; URLs and README stay whole.',
    })
  })

  test.each([
    ['effect', ['plain', 'hook']],
    ['effects', ['plain', 'hook']],
    ['EFFECT', ['plain', 'hook']],
    ['names', ['names']],
    ['user name', ['names']],
    ['request', ['names']],
    ['http', ['names']],
    ['script', ['script']],
    ['sideEffect', []],
  ])('%s finds them, after records with the word itself', async (text, ids) => {
    expect(await found(store, text)).toEqual(ids)
  })

  test.each(['call', 'get', 'ur', 'name s', 'read'])('control: %s does not', async (text) => {
    expect(await found(store, text)).not.toContain('script')
  })

  test('are named in a reason, and the mark covers the written word', async () => {
    const { hits, evidence, plan } = await store.call('recall', { query: { text: 'request' } })
    expect(hits[0]!.reasons).toContain('request as xmlhttprequest')
    expect(hits[0]!.marks).toEqual({ body: [[35, 49]] })
    expect(hits[0]!.snippet.marks).toEqual([[35, 49]])
    expect(plan.read).toEqual([])
    expect(evidence.strength).not.toBe('none')
  })

  test('do not count between quotes or behind a minus, as with compounds', async () => {
    expect(await found(store, '"effect"')).toEqual(['plain'])
    expect(await found(store, 'render -effect')).toEqual(['hook'])
    expect(await found(store, 'render', { without: ['effect'] })).toEqual(['hook'])
    expect(await found(store, 'render -useEffect'), 'control: the word itself').toEqual([])
  })

  test('complete a word that is still being typed once its part is complete', async () => {
    expect(await found(store, 'effect', { prefix: 'last' })).toEqual(['plain', 'hook'])
    expect(await found(store, 'useEff', { prefix: 'last' })).toEqual(['hook'])
  })

  test('[Q3] count for the existence check, and typing errors come after them', async () => {
    const { hits, plan } = await store.call('recall', { query: { text: 'request' } })
    expect(plan.existence).toMatchObject({ mightExist: true })
    expect(plan.read).toEqual([])
    expect(hits).toHaveLength(1)
    const missing = await store.call('recall', { query: { text: 'quokka' } })
    expect(missing.plan.existence, 'control').toMatchObject({ mightExist: false })
  })

  test('list and facets find them, too', async () => {
    const listed = await store.call('list', { filter: { text: 'effect' } })
    expect(listed.items.map(({ id }) => id).sort()).toEqual(['hook', 'plain'])
    expect((await store.call('facets', { request: { keys: ['kind'], text: 'request' } })).matched).toBe(1)
    expect((await store.call('list', { filter: { text: '"effect"' } })).items.map(({ id }) => id)).toEqual(['plain'])
  })

  test('suggest completes words as they are written, among the records that hold the words before', async () => {
    const suggested = await store.call('suggest', { prefix: 'effect ren' })
    expect(suggested).toEqual([{ text: 'effect render', records: 1 }])
  })

  test('`in` limits them to its fields', async () => {
    const over = await openEngine()
    await over.call('put', { batch: [{ id: 'a', title: 'useEffect', body: 'A hook.' }] })
    expect(await found(over, 'effect', { in: ['title'] })).toEqual(['a'])
    expect(await found(over, 'effect', { in: ['body'] })).toEqual([])
  })

  test('a store without a stemmer finds parts as they are written', async () => {
    const exact = await filled({ names: 'getUserNames' }, { stemmer: 'none' })
    expect(await found(exact, 'names')).toEqual(['names'])
    expect(await found(exact, 'name')).toEqual([])
  })

  test('policies that count like FTS5 find none', async () => {
    expect(await found(store, 'request', { policy: 'tokenpak' })).toEqual([])
  })
})

describe('letters that fold into others', () => {
  test.each([
    ['strasse', 'Straße'],
    ['Straße', 'Strasse'],
    ['lodz', 'Łódź'],
    ['Łódź', 'Lodz'],
    ['smorrebrod', 'smørrebrød'],
    ['aesthetics', 'æsthetic'],
    ['oeuvre', 'Œuvre'],
  ])('%s finds %s in a store in English alone', async (text, body) => {
    const store = await filled({ a: `${body} 1`, b: 'Another text' })
    expect(await found(store, text)).toEqual(['a'])
    expect(await found(store, `"${text}"`)).toEqual(['a'])
    expect(await found(store, `-${text}`)).toEqual(['b'])
    expect(await found(store, 'strase'), 'control').toEqual([])
  })
})

describe('statements of a question', () => {
  const counted = async (bodies: Readonly<Record<string, string>>) => {
    let statements = 0
    const over = await openOver({}, null, (database) => {
      const { each } = database
      const counting: SqliteDatabase['each'] = (sql, ...rest) => {
        if (/\bforms\b/.test(sql)) statements++
        return each(sql, ...rest)
      }
      Object.assign(database, { each: counting })
    })
    await over.call('put', { batch: Object.entries(bodies).map(([id, body]) => ({ id, body })) })
    const of = async (text: string) => {
      const before = statements
      await over.call('recall', { query: { text } })
      return statements - before
    }
    return { of }
  }

  test('a store without such words asks once after a change whether it has any', async () => {
    const { of } = await counted({ a: 'The effect of rain on long walks' })
    expect(await of('effect rain walks')).toBe(1)
    expect([await of('long walks'), await of('other words entirely')]).toEqual([0, 0])
  })

  test('another store reads the forms of all words at once', async () => {
    const { of } = await counted({ a: 'The useEffect of rain on long walks' })
    expect(await of('effect rain')).toBe(2)
    expect([await of('effect of long walks -render "rain on"'), await of('effect walks')]).toEqual([1, 0])
  })
})
