/** Tests suggest: words and titles that begin with what was typed. `property/scopes.test.ts` compares scopes with an oracle. */
import { describe, expect, test } from 'vitest'
import type { SuggestRequest } from '../../../src/core/model/query.ts'
import { createRandom } from '../../support/data/random.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const { call } = await openEngine({ metadataKeys: ['lang'] })
await call('put', {
  batch: [
    { id: 'a', title: 'Walnut furniture', body: 'A walnut desk and walnuts', project: 'home' },
    { id: 'b', title: 'Walnut furniture', body: 'Oil for walnut', project: 'shop' },
    { id: 'c', title: 'Walnuts', body: 'Shell the nuts', project: 'home' },
    { id: 'd', title: 'Über uns', body: 'Waltzes for the café, migration of walls', project: 'shop' },
    { id: 'e', title: 'walnut  Oil', body: 'Migration', project: 'shop' },
    { id: 'f', title: '[draft] @home', body: '漢字 2024', project: 'shop' },
  ],
})
const suggest = (prefix: string, request?: SuggestRequest) => call('suggest', { prefix, request })
const texts = async (prefix: string, request?: SuggestRequest) =>
  (await suggest(prefix, request)).map(({ text }) => text)

describe('suggest', () => {
  test('completes words and titles, most records first, then by code points', async () => {
    expect(await suggest('waln')).toEqual([
      { text: 'walnut', records: 3 },
      { text: 'Walnut furniture', records: 2 },
      { text: 'walnuts', records: 2 },
      { text: 'walnut  Oil', records: 1 },
    ])
    expect(await suggest('wal', { limit: 2 })).toEqual([
      { text: 'walnut', records: 3 },
      { text: 'Walnut furniture', records: 2 },
    ])
  })

  test('counts the records of the scope, and suggests nothing from outside', async () => {
    expect(await suggest('wal', { scope: { project: 'home' } })).toEqual([
      { text: 'walnuts', records: 2 },
      { text: 'Walnut furniture', records: 1 },
      { text: 'walnut', records: 1 },
    ])
    expect(await texts('mig', { scope: { project: 'home' } })).toEqual([])
  })

  test('completes the last word among the records that hold the others', async () => {
    expect(await suggest('oil wal')).toEqual([{ text: 'oil walnut', records: 2 }])
    expect(await texts('Walnut F')).toEqual(['Walnut furniture', 'Walnut for'])
    expect(await texts('walnut ')).toEqual(['Walnut furniture', 'walnut  Oil'])
    expect(await texts('-oil waltz')).toEqual(['-oil waltzes'])
  })

  test('ignores case and diacritics on both sides', async () => {
    expect(await texts('uber')).toEqual(['uber', 'Über uns'])
    expect(await texts('ÜBER')).toEqual(['uber', 'Über uns'])
    expect(await texts('CAFÉ')).toEqual(['cafe'])
    expect(await texts('[dr')).toEqual(['[draft', '[draft] @home'])
  })

  test('forgives one typo from four letters, if nothing begins as typed', async () => {
    expect(await texts('migart')).toEqual(['migration'])
    expect(await texts('wlanut')).toEqual(['walnut', 'Walnut furniture', 'walnuts', 'walnut  Oil'])
    expect(await texts('wla')).toEqual([])
    expect(await texts('migart', { scope: { project: 'home' } })).toEqual([])
    expect(await texts('oil mgra')).toEqual(['oil migration'])
  })

  test('takes no word of English for a typing error; control: a word that is none', async () => {
    const own = await openEngine()
    await own.call('put', { batch: [{ id: 'a', body: 'The parts of the oven.' }] })
    const asked = async (prefix: string) => (await own.call('suggest', { prefix })).map(({ text }) => text)
    expect([await asked('paris'), await asked('open')]).toEqual([[], []])
    expect(await asked('prats')).toEqual(['parts'])
  })

  test('suggests nothing for a text without words, and no numbers or pairs of letters', async () => {
    for (const prefix of ['', ' ', '!', '20', '漢']) expect(await suggest(prefix), prefix).toEqual([])
  })

  test('[W3] follows changed and forgotten records', async () => {
    const own = await openEngine()
    await own.call('put', { batch: [{ id: 'a', title: 'Secret plan', body: 'secretive' }] })
    const asked = async () => (await own.call('suggest', { prefix: 'sec' })).map(({ text }) => text)
    expect(await asked()).toEqual(['Secret plan', 'secret', 'secretive'])
    await own.call('patch', { id: 'a', fields: { title: 'Second' } })
    expect(await asked()).toEqual(['second', 'secretive'])
    await own.call('forget', { ids: ['a'] })
    expect(await asked()).toEqual([])
  })

  test('finds every title by its beginning, whatever its first letters', async () => {
    const own = await openEngine()
    const random = createRandom(7)
    const letters = [...'@[_`aezAZ{~äÄéØжЖñ漢😀1', 'e\u0301']
    const titles = Array.from({ length: 300 }, (_, i) => `${random.pick(letters)}${random.pick(letters)} ${i}`)
    await own.call('put', { batch: titles.map((title, i) => ({ id: `t${i}`, title, body: 'x' })) })
    const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    for (const beginning of [
      '@',
      '[',
      '_',
      '`',
      'a',
      'Z',
      '{',
      'ä',
      'ж',
      'n',
      '1',
      '@a',
      'az',
      '😀a',
      'aa',
      'ae',
      'an',
      'ze',
      'z1',
      'ez',
      '1e',
      'ñe',
      'жж',
    ]) {
      const expected = titles.filter((title) => folded(title).startsWith(folded(beginning)))
      const found = await own.call('suggest', { prefix: beginning, request: { limit: 1000 } })
      const spaced = found.map(({ text }) => text).filter((text) => text.includes(' '))
      const isAsked = /[\p{L}\p{N}]/u.test(beginning)
      expect(new Set(spaced), beginning).toEqual(new Set(isAsked ? expected : []))
    }
  })

  test.each<[unknown, unknown, string]>([
    [5, {}, 'prefix'],
    ['x'.repeat(20_000), {}, 'prefix'],
    ['x', { limit: 0 }, 'request.limit'],
    ['x', { top: 1 }, 'request.top'],
    ['x', { scope: { size: 1 } }, 'request.scope.size'],
    ['x', { scope: { metadata: { other: 1 } } }, 'scope.metadata.other'],
    ['x', 'y', 'request'],
  ])('rejects %j with %j at %s', async (prefix, request, field) => {
    const error: unknown = await suggest(prefix as string, request as SuggestRequest).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', field })
    expect((error as { readonly hint?: string }).hint).toBeTruthy()
  })
})
