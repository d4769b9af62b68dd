/** Tests signs in stores of other languages than English: word forms count between quotes and after a minus, as the index does in English. */
import { beforeAll, describe, expect, test } from 'vitest'
import { knownLanguages } from '../../../../src/core/model/languages.ts'
import type { RecordInput } from '../../../../src/core/model/record.ts'
import type { EngineOptions } from '../../../../src/protocol/engine-options.ts'
import { loadLanguages } from '../../../../worker/languages/load-languages.ts'
import { type OpenedOver, openOver } from '../../../support/stores/open-over.ts'

beforeAll(() => loadLanguages(knownLanguages))

async function filled(languages: readonly string[], batch: readonly RecordInput[]): Promise<OpenedOver> {
  const over = await openOver({ languages } as Partial<EngineOptions>)
  await over.call('put', { batch })
  return over
}

async function found({ call }: OpenedOver, text: string, more: object = {}): Promise<readonly string[]> {
  const { hits } = await call('recall', { query: { text, ...more } })
  return hits.map(({ id }) => id).sort()
}

const batch = [
  { id: 'one', body: 'Das alte Haus am Markt' },
  { id: 'many', body: 'In alten Häusern am Markt' },
  { id: 'tree', body: 'Ein Baumhaus am Markt' },
  { id: 'apart', body: 'Das Haus der Alten am Markt' },
]

describe('a word with a minus', () => {
  test.each([
    ['Markt -Häuser', ['tree']],
    ['Markt -Haus', ['tree']],
    ['Markt -"alte Häuser"', ['apart', 'tree']],
    ['Markt -"altes Haus"', ['apart', 'tree']],
  ])('holds back its forms, and no compound: %s', async (text, left) => {
    expect(await found(await filled(['de'], batch), text)).toEqual(left)
  })

  test('does as in English', async () => {
    const english = await filled(
      ['en'],
      [
        { id: 'one', body: 'The old house at the market' },
        { id: 'many', body: 'Old houses at the market' },
        { id: 'tree', body: 'A treehouse at the market' },
      ],
    )
    expect(await found(english, 'market -house')).toEqual(['tree'])
    expect(await found(english, '"old houses"')).toEqual(['many', 'one'])
  })

  test.each([
    ['fr', 'pré -cheval', ['Deux chevaux dans le pré', 'Une vache dans le pré']],
    ['es', 'campo -niño', ['Los niños en el campo', 'Un perro en el campo']],
    ['ru', 'стол -книга', ['Книги на стол', 'Стул и стол']],
    ['tr', 'masa -kitap', ['Kitaplar ve masa', 'Defter ve masa']],
    ['de', 'Weg -strasse', ['Die Straße, der Weg', 'Der Pfad, der Weg']],
  ])('in %s: %s', async (tag, text, [hidden, kept]) => {
    const over = await filled(
      [tag],
      [
        { id: 'hidden', body: hidden! },
        { id: 'kept', body: kept! },
      ],
    )
    expect(await found(over, text)).toEqual(['kept'])
  })

  test('[S5] names the record that it holds back in ledger and why; lists, facets and `without` agree', async () => {
    const over = await filled(['de'], batch)
    const query = { text: 'Markt -Häuser' }
    const { ledger } = await over.call('recall', { query: { ...query, ledger: true } })
    expect(ledger).toContainEqual(expect.objectContaining({ id: 'one', reason: 'contains -Häuser' }))
    expect(await over.call('why', { query, id: 'one' })).toMatchObject({ reason: 'contains -Häuser' })
    const { items } = await over.call('list', { filter: { text: query.text } } as never)
    expect(items.map(({ id }) => id)).toEqual(['tree'])
    expect(await over.call('facets', { request: { keys: ['kind'], text: query.text } })).toMatchObject({ matched: 1 })
    expect(await found(over, 'Markt', { without: ['Häuser'] })).toEqual(['tree'])
    expect(await found(over, 'Markt', { without: ['Häuser'], policy: 'ctxsift' })).toEqual(['tree'])
  })

  test('counts forms of a language only in its records', async () => {
    const named = batch.map((record) => ({ ...record, language: record.id === 'many' ? 'fr' : 'de' }))
    expect(await found(await filled(['de', 'fr'], named), 'Markt -Haus')).toEqual(['many', 'tree'])
  })
})

describe('a phrase', () => {
  test.each([
    ['de', '"altes Haus"', ['Das alte Haus', 'Alte Häuser', 'Das Haus ist alt'], ['0', '1']],
    ['fr', '"cheval blanc"', ['Des chevaux blancs', 'Un cheval blanc', 'Un cheval noir et blanc'], ['0', '1']],
    ['ru', '"старая книга"', ['Старые книги', 'Книги старые'], ['0']],
    ['de', '"grosse Straße"', ['Die große Strasse', 'Straße, große'], ['0']],
  ])('in %s is found in its forms: %s', async (tag, text, bodies, ids) => {
    const over = await filled(
      [tag],
      bodies.map((body, i) => ({ id: `${i}`, body })),
    )
    expect(await found(over, text)).toEqual(ids)
  })

  test('control: not in a store in English alone', async () => {
    const over = await filled(['en'], [{ id: 'a', body: 'Alte Häuser' }])
    expect(await found(over, '"altes Haus"', { typos: 'off' })).toEqual([])
  })

  test('names the form in a reason, and marks it', async () => {
    const over = await filled(['de'], [{ id: 'a', body: 'Alte Häuser am See' }])
    const { hits, plan } = await over.call('recall', { query: { text: '"altes Haus"' } })
    expect(hits[0]!.reasons).toContain('altes haus as alte hauser')
    expect(hits[0]!.marks).toEqual({
      body: [
        [0, 4],
        [5, 11],
      ],
    })
    expect(plan.read).toEqual([{ kind: 'phrase', text: 'altes Haus' }])
    expect(plan.existence).toMatchObject({ mightExist: true })
  })

  test('[Q4] is corrected only where the scope holds no form of a word', async () => {
    const over = await filled(
      ['de'],
      [
        { id: 'a', body: 'Häuser und Mäuse' },
        { id: 'b', body: 'Maus' },
      ],
    )
    const { plan } = await over.call('recall', { query: { text: '"kleine Haus"' } })
    expect(plan.read.filter(({ kind }) => kind === 'typo')).toEqual([])
  })
})
