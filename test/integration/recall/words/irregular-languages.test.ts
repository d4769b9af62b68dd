/** Tests irregular forms and compounds in the languages of a store: past forms, plurals of their own, the definite form at the end of a compound. */
import { beforeAll, describe, expect, test } from 'vitest'
import { irregularFormsOf } from '../../../../src/core/text/tokenise/irregular-forms.ts'
import { loadLanguages } from '../../../../worker/languages/load-languages.ts'
import { openEngine } from '../../../support/stores/open-engine.ts'

/** By language, and for each note the words that find it, it alone. */
const notes: Readonly<Record<string, readonly (readonly [note: string, words: string])[]>> = {
  de: [
    ['Wir gingen gestern ins Kino', 'gehen ging gegangen'],
    ['Er aß zwei Äpfel', 'essen gegessen isst'],
    ['Sie schrieb einen Brief', 'schreiben geschrieben schreibt'],
    ['Der Arzt sprach über das Blut', 'sprechen spricht gesprochen'],
    ['Oma hat den Zug genommen', 'nehmen nahm nimmt'],
  ],
  fr: [
    ['Elle a écrit au maire', 'écrire écrivait ecrire'],
    ['Mes yeux sont fatigués', 'œil oeil'],
    ['Nous avons vu un film', 'voir voit'],
    ['Il a bu un café', 'boire boivent'],
  ],
  es: [
    ['Los niños juegan en el parque', 'jugar jugó'],
    ['Hice la tarea', 'hacer hizo hecho'],
    ['Tuve una reunión', 'tener tuvo'],
    ['Ella durmió en el tren', 'dormir duerme'],
  ],
  nl: [
    ['Jan schreef een brief', 'schrijven geschreven'],
    ['Wij kochten een tafel', 'kopen gekocht'],
    ['Oma sliep op de bank', 'slapen geslapen'],
    ['De steden zijn oud', 'stad'],
  ],
  sv: [
    ['Anna skrev ett brev', 'skriva skrivit'],
    ['Vi drack kaffe', 'dricka druckit'],
    ['Böckerna ligger kvar', 'bok'],
    ['Cykelnyckeln är borta', 'nyckel nyckeln'],
    ['Bilförsäkringen är dyr', 'försäkring'],
    ['Tandläkartid på fredag', 'tandläkare'],
  ],
  da: [
    ['Anna skrev et brev', 'skrive skrevet'],
    ['Vi drak kaffe', 'drikke drukket'],
    ['Børnene leger', 'barn'],
    ['Tandlægetid på fredag', 'tandlæge'],
    ['Bilforsikringen er dyr', 'forsikring'],
    ['Cykelnøglen er væk', 'nøgle noegle'],
  ],
  no: [
    ['Anna skrev et brev', 'skrive skrevet'],
    ['Vi drakk kaffe', 'drikke drukket'],
    ['Bøkene ligger igjen', 'bok'],
  ],
  it: [
    ['Marta ha scritto al sindaco', 'scrivere scrisse'],
    ['Ieri ho letto il giornale', 'leggere lesse'],
    ['Gli uomini parlano', 'uomo'],
  ],
  pt: [
    ['Ele trouxe o bolo', 'trazer trago'],
    ['Eu fiz a tarefa', 'fazer fez'],
    ['Os pães estão quentes', 'pão'],
  ],
}

beforeAll(() => loadLanguages(Object.keys(notes)))

describe.each(Object.keys(notes))('a store in %s', (tag) => {
  test('finds irregular forms and compounds', async () => {
    const { call } = await openEngine({ languages: [tag] })
    await call('put', { batch: notes[tag]!.map(([note]) => ({ id: note, body: note })) })
    for (const [note, words] of notes[tag]!)
      for (const text of words.split(' ')) {
        const { hits, evidence } = await call('recall', { query: { text, typos: 'off' } })
        expect([text, hits.map(({ id }) => id), evidence.strength]).toEqual([text, [note], 'strong'])
        expect((await call('list', { filter: { text } })).items.map(({ id }) => id)).toEqual([note])
      }
  })
})

test('control: without the language, and for forms that are stop words, nothing is found', async () => {
  const { call } = await openEngine()
  await call('put', { batch: [{ id: 'a', body: 'Wir gingen gestern ins Kino' }] })
  expect((await call('recall', { query: { text: 'gehen', typos: 'off' } })).hits).toEqual([])
  const spanish = await openEngine({ languages: ['es'] })
  await spanish.call('put', { batch: [{ id: 'a', body: 'Marta se fue' }] })
  expect((await spanish.call('recall', { query: { text: 'saber', typos: 'off' } })).hits).toEqual([])
})

test.each([
  ['understood', 'understand'],
  ['misunderstood', 'misunderstand'],
  ['outgrew', 'outgrow'],
  ['rewound', 'rewind'],
  ['withheld', 'withhold'],
  ['postmen', 'postman'],
  ['schoolchildren', 'schoolchild'],
  ['fieldmice', 'fieldmouse'],
  ['bookshelves', 'bookshelf'],
])('%s is a form of %s', (form, word) => {
  expect(irregularFormsOf(form)).toContain(word)
  expect(irregularFormsOf(word)).toContain(form)
})

test.each(['return', 'overall', 'garden', 'department'])('control: %s is regular', (word) => {
  expect(irregularFormsOf(word)).toEqual([])
})
