/** Tests that the beginning of a word is found like the whole word: with letters that are replaced (Cœlacanthe, Łódź), in every call that reads beginnings. */
import { describe, expect, test } from 'vitest'
import { foldLetters } from '../../../../src/core/text/tokenise/fold-letters.ts'
import { foldWord } from '../../../../src/core/text/tokenise/tokenise.ts'
import { openEngine } from '../../../support/stores/open-engine.ts'

const notes = [
  ['fish', 'Cœlacanthe pêché au large'],
  ['city', 'Łódź lies between Warsaw and Poznań'],
  ['street', 'Die Straße nach Süden'],
  ['illness', 'Œdème du bras gauche'],
  ['light', 'Æther and its waves'],
  ['bridge', 'Øresundsbroen i tåge'],
  ['lunch', 'Smørrebrød med rejer'],
  ['name', 'Đặng Văn Lâm'],
  ['poet', 'Þórbergur skrifaði Suðursveit'],
  ['lamp', 'Işık söndü'],
  ['tree', 'Ёлка во дворе'],
  ['man', 'Ένας άνθρωπος στο μαγαζί'],
  ['other', 'Nothing that begins like these'],
] as const

const { call } = await openEngine()
await call('put', { batch: notes.map(([id, body]) => ({ id, body })) })

const cases = [
  ['coel', 'fish'],
  ['coelac', 'fish'],
  ['cœl', 'fish'],
  ['lod', 'city'],
  ['łód', 'city'],
  ['stras', 'street'],
  ['strass', 'street'],
  ['straß', 'street'],
  ['oede', 'illness'],
  ['aet', 'light'],
  ['oresund', 'bridge'],
  ['smorre', 'lunch'],
  ['dan', 'name'],
  ['thorb', 'poet'],
  ['sudurs', 'poet'],
  ['isi', 'lamp'],
  ['елк', 'tree'],
  ['ανθρω', 'man'],
  ['μαγα', 'man'],
] as const

describe.each(cases)('the beginning "%s"', (typed, id) => {
  test('is found as a beginning of the word, with weak evidence or better, and marked', async () => {
    const { hits, evidence } = await call('recall', { query: { text: typed, prefix: 'last' } })
    expect(hits.map((hit) => hit.id)).toEqual([id])
    expect(evidence.strength).not.toBe('none')
    const [from, to] = hits[0]!.marks.body![0]!
    const marked = notes.find(([own]) => own === id)![1].slice(from, to)
    expect(foldLetters(foldWord(marked)).startsWith(foldLetters(foldWord(typed)))).toBe(true)
  })

  test('lists and counts its record', async () => {
    const { items } = await call('list', { filter: { text: typed, prefix: 'last' } })
    expect(items.map((item) => item.id)).toEqual([id])
    expect(await call('facets', { request: { keys: ['kind'], text: typed, prefix: 'last' } })).toMatchObject({
      matched: 1,
    })
  })

  test('is completed', async () => {
    const [first] = await call('suggest', { prefix: typed })
    expect(first?.records).toBe(1)
    expect(foldLetters(first!.text).startsWith(foldLetters(foldWord(typed)))).toBe(true)
  })
})

test.each(['coel', 'lod', 'oede', 'smorre', 'елк', 'ανθρω'])(
  'control: "%s" is not found as a whole word',
  async (text) => {
    expect((await call('list', { filter: { text } })).items).toEqual([])
  },
)

test.each(['coez', 'lodzi', 'strat', 'oedi', 'smorg', 'елс', 'ανθε'])('control: "%s" begins no word', async (typed) => {
  expect((await call('list', { filter: { text: typed, prefix: 'last' } })).items).toEqual([])
  expect((await call('recall', { query: { text: typed, prefix: 'last', typos: 'off' } })).hits).toEqual([])
})

test('a word in both spellings is found once in each, and counts once', async () => {
  const both = await openEngine()
  await both.call('put', {
    batch: [
      { id: 'folded', body: 'coelacanthe' },
      { id: 'written', body: 'cœlacanthe' },
    ],
  })
  for (const text of ['coela', 'cœla']) {
    const { hits } = await both.call('recall', { query: { text, prefix: 'last' } })
    expect(hits.map(({ id }) => id).sort()).toEqual(['folded', 'written'])
    expect(hits[0]!.contributions).toEqual(hits[1]!.contributions)
  }
})

test('titles are completed', async () => {
  const store = await openEngine()
  await store.call('put', {
    batch: [
      { id: 'works', title: 'Œuvres complètes', body: '-' },
      { id: 'street', title: 'Große Straße', body: '-' },
    ],
  })
  const texts = async (prefix: string) => (await store.call('suggest', { prefix })).map(({ text }) => text)
  for (const typed of ['oeuv', 'œuv', 'oeuvres']) expect(await texts(typed)).toContain('Œuvres complètes')
  // The words that complete the text are suggested already.
  expect(await texts('oeuvres com')).toEqual(['oeuvres completes'])
  for (const typed of ['gros', 'grosse', 'GROSSE ']) expect(await texts(typed)).toContain('Große Straße')
  expect(await texts('oeuvres par')).toEqual([])
})

test('a beginning in a field, in a scope, and after the word was forgotten', async () => {
  const store = await openEngine()
  const batch = [
    { id: 'a', title: 'Cœlacanthe', body: 'x', project: 'sea' },
    { id: 'b', title: 'x', body: 'cœlacanthe', project: 'lake' },
  ]
  await store.call('put', { batch })
  const ids = async (query: object) =>
    (await store.call('recall', { query: { text: 'coel', prefix: 'last', ...query } })).hits.map(({ id }) => id).sort()
  expect(await ids({})).toEqual(['a', 'b'])
  expect(await ids({ in: ['title'] })).toEqual(['a'])
  expect(await ids({ scope: { project: 'lake' } })).toEqual(['b'])
  await store.call('forget', { scope: { ids: ['a'] } })
  expect(await ids({})).toEqual(['b'])
  await store.call('forget', { scope: { ids: ['b'] } })
  expect(await ids({})).toEqual([])
})
