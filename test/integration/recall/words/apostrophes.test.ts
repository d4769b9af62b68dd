/** Tests that words with an apostrophe and the same words without it find each other, and that the written form comes first. */
import { describe, expect, test } from 'vitest'
import { cutsAtApostrophe, holdsWithApostrophe } from '../../../../src/core/query/apostrophes.ts'
import { openEngine } from '../../../support/stores/open-engine.ts'

const notes = [
  ['book', "The Qur'an was printed in Cairo"],
  ['cover', "Don't Panic is written on the cover"],
  ['towel', 'Dont know where the towel is'],
  ['camels', "Tim O'Reilly publishes books on camels"],
  ['cellar', "Rock'n'roll nights in the cellar"],
  ['swim', "She can't swim yet"],
  ['walk', 'L’homme qui marche'],
  ['film', "Beverly D'Angelo played in it"],
  ['islands', 'Hawaiʻi has eight islands'],
  ['walls', "The walls of Xi'an"],
  ['coast', 'La presqu’île de Crozon'],
  ['computer', "Новий комп'ютер працює"],
  ['snow', "İstanbul'da kar var"],
  ['zoo', "We're going to the zoo"],
  ['zoo2', 'They were going to the zoo'],
  ['reef', 'It was a long way to the reef'],
  ['brother', 'My brother is Abel'],
  ['tea', "Tea at five o'clock"],
  ['wine', 'Il vino dell`isola'],
  ['ship', 'Oneill sails a ship'],
] as const

const { call } = await openEngine()
await call('put', { batch: notes.map(([id, body]) => ({ id, body })) })
const ids = async (text: string, more: object = {}) =>
  (await call('recall', { query: { text, ...more } })).hits.map(({ id }) => id)
const listed = async (text: string, more: object = {}) =>
  (await call('list', { filter: { text, ...more } })).items.map(({ id }) => id).sort()

describe.each([
  ['book', ['quran', 'Quran', "Qur'an", 'Qur’an', 'Qurʼan']],
  ['camels', ['oreilly', 'OReilly', "o'reilly", 'O’Reilly']],
  ['cellar', ['rocknroll', "rock'n'roll", 'rock’n’roll', "rock'n roll"]],
  ['walk', ['lhomme', "l'homme", 'l’homme']],
  ['film', ['dangelo', "D'Angelo", 'd’angelo']],
  ['islands', ['hawaii', "Hawai'i", 'Hawai’i', 'Hawaiʻi']],
  ['walls', ['xian', "Xi'an", 'Xi’an']],
  ['coast', ['presquile', "presqu'île", 'presqu’ile']],
  ['computer', ['компютер', "комп'ютер", 'комп’ютер', 'компʼютер']],
  ['snow', ['istanbulda', "İstanbul'da"]],
  ['tea', ['oclock', "o'clock", 'o’clock']],
  ['wine', ['dellisola', "dell'isola"]],
  ['ship', ['oneill', "O'Neill", 'O’Neill']],
  ['swim', ['cant swim', "can't swim", 'can’t swim']],
  ['cover', ['dont panic', "don't panic", 'Don’t Panic']],
] as const)('%s', (id, texts) => {
  test.each(texts)('is found first by %s', async (text) => {
    expect((await ids(text))[0]).toBe(id)
    expect((await call('recall', { query: { text } })).evidence.strength).toBe('strong')
    expect(await listed(text)).toContain(id)
    expect((await call('facets', { request: { keys: ['kind'], text } })).matched).toBeGreaterThan(0)
  })
})

test('of both forms the written one comes first', async () => {
  expect((await ids('dont')).slice(0, 2)).toEqual(['towel', 'cover'])
  expect((await ids("don't")).slice(0, 2)).toEqual(['cover', 'towel'])
  const store = await openEngine()
  await store.call('put', {
    batch: [
      { id: 'with', body: "Prices at O'Brien fell in the spring of last year" },
      { id: 'without', body: 'Prices at Obrien fell in the spring of last year' },
    ],
  })
  const first = async (text: string) => (await store.call('recall', { query: { text } })).hits.map((hit) => hit.id)
  expect(await first('obrien')).toEqual(['without', 'with'])
  expect(await first("O'Brien")).toEqual(['with', 'without'])
})

test('what is still being typed is found', async () => {
  expect(await ids('qura', { prefix: 'last' })).toEqual(['book'])
  expect(await listed('oreil', { prefix: 'last' })).toEqual(['camels'])
})

test('a word that is written with an apostrophe is marked, and the reason names it', async () => {
  const [hit] = (await call('recall', { query: { text: 'oreilly' } })).hits
  expect(hit!.reasons).toContain('oreilly as o reilly')
  expect(hit!.marks).toEqual({ body: [[6, 12]] })
})

test('control: words that only follow each other are not one word, and remnants of contractions are left out', async () => {
  expect(await ids('along')).toEqual([])
  expect(await ids('isabel')).toEqual([])
  expect(await listed('were')).toEqual(['zoo2'])
  expect(cutsAtApostrophe('were')).not.toContainEqual(['we', 're'])
  expect(cutsAtApostrophe('rocknroll')).toContainEqual(['rock', 'n', 'roll'])
  expect(holdsWithApostrophe("The Qur'an", ['qur', 'an'], false)).toBe(true)
  expect(holdsWithApostrophe('The Qur an', ['qur', 'an'], false)).toBe(false)
  expect(holdsWithApostrophe("The Qur'anic", ['qur', 'an'], false)).toBe(false)
  expect(holdsWithApostrophe("The Qur'anic", ['qur', 'an'], true)).toBe(true)
})

test('only records of the scope say how a word is written', async () => {
  const store = await openEngine()
  await store.call('put', {
    batch: [
      { id: 'a', body: "The Qur'an", project: 'books' },
      { id: 'b', body: 'the qur an', project: 'noise' },
    ],
  })
  const within = async (project: string) =>
    (await store.call('recall', { query: { text: 'quran', scope: { project } } })).hits.map(({ id }) => id)
  expect(await within('books')).toEqual(['a'])
  expect(await within('noise')).toEqual([])
})
