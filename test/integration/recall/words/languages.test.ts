/** Tests what the languages of a store find: word forms, folded letters, compounds; and that function words do not outrank a subject. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { knownLanguages } from '../../../../src/core/model/languages.ts'
import type { RecordInput } from '../../../../src/core/model/record.ts'
import { openRecall } from '../../../../src/index.ts'
import type { EngineOptions } from '../../../../src/protocol/engine-options.ts'
import { loadLanguages } from '../../../../worker/languages/load-languages.ts'
import { all } from '../../../../worker/sqlite/database.ts'
import { dump } from '../../../support/stores/dump.ts'
import { germanQuestions, germanRecords, runGerman } from '../../../support/stores/german-store.ts'
import { type OpenedOver, openOver } from '../../../support/stores/open-over.ts'

beforeAll(() => loadLanguages(knownLanguages))

async function filled(languages: readonly string[], batch: readonly RecordInput[]): Promise<OpenedOver> {
  const over = await openOver({ languages } as Partial<EngineOptions>)
  await over.call('put', { batch })
  return over
}

async function found({ call }: OpenedOver, text: string, more: object = {}): Promise<readonly string[]> {
  const { hits } = await call('recall', { query: { text, ...more } })
  return hits.map(({ id }) => id)
}

const formsIn = ({ database }: OpenedOver) =>
  all(database, `SELECT key, word FROM forms`, [], (row) => `${row.text(0)} ${row.text(1)}`)

describe('word forms', () => {
  test.each([
    ['de', 'Haus', 'Die Häuser am Markt.'],
    ['fr', 'cheval', 'Deux chevaux dans le pré.'],
    ['es', 'niño', 'Las niñas juegan.'],
    ['it', 'gatto', 'I gatti dormono.'],
    ['pt', 'menino', 'As meninas correm.'],
    ['nl', 'boek', 'Drie boeken op tafel.'],
    ['sv', 'flicka', 'Flickorna sjunger.'],
    ['da', 'hund', 'Hundene løber.'],
    ['no', 'hest', 'Hestene står ute.'],
    ['fi', 'talo', 'Taloissa on valoa.'],
    ['ru', 'книга', 'Он читает книги.'],
    ['tr', 'kitap', 'Kitaplar masada.'],
    ['el', 'σπιτι', 'Τα σπίτια του χωριού.'],
    ['ro', 'carte', 'Cărțile sunt vechi.'],
    ['hu', 'ház', 'A házak magasak.'],
  ])('of %s are found: %s', async (tag, asked, body) => {
    const batch = [{ id: 'a', body }]
    expect(await found(await filled([tag], batch), asked, { typos: 'off' })).toEqual(['a'])
    expect(await found(await filled(['en'], batch), asked, { typos: 'off' }), 'control: not by default').toEqual([])
  })

  test('are named in a reason, and marked; the plan reads none', async () => {
    const over = await filled(['fr'], [{ id: 'a', body: 'Deux chevaux dans le pré.' }])
    const { hits, plan } = await over.call('recall', { query: { text: 'cheval' } })
    expect(hits[0]!.reasons).toContain('cheval as chevaux')
    expect(hits[0]!.marks).toEqual({ body: [[5, 12]] })
    expect(plan.read).toEqual([])
    expect(plan.existence).toMatchObject({ mightExist: true })
  })

  test('[Q3] the existence filter knows them, within the scope', async () => {
    const batch = [
      { id: 'a', body: 'Deux chevaux.', project: 'ferme' },
      { id: 'b', body: 'Une poule.', project: 'cour' },
    ]
    const over = await filled(['fr'], batch)
    const exists = async (project: string) =>
      (await over.call('recall', { query: { text: 'cheval', scope: { project } } })).plan.existence?.mightExist
    expect([await exists('ferme'), await exists('cour')]).toEqual([true, false])
  })

  test('count in lists and facets, too', async () => {
    const over = await filled(['de'], germanRecords)
    const { items } = await over.call('list', { filter: { text: 'Katze' } } as never)
    expect(items.map(({ id }) => id)).toEqual(['katzen'])
    expect(await over.call('facets', { request: { keys: ['kind'], text: 'Katze' } })).toMatchObject({ matched: 1 })
  })

  test('of a language are not found in a record that names another', async () => {
    const batch = [
      { id: 'none', body: 'Katzen' },
      { id: 'de', body: 'Katzen', language: 'de' },
      { id: 'sv', body: 'Katzen', language: 'sv' },
    ]
    const over = await filled(['de', 'fr'], batch)
    expect([...(await found(over, 'Katze', { collapse: 'none' }))].sort()).toEqual(['de', 'none'])
  })

  test('of the word that a typing error is read as are found', async () => {
    const over = await filled(
      ['de'],
      [
        { id: 'a', body: 'Rechnungen' },
        { id: 'b', body: 'Eine Rechnung' },
      ],
    )
    expect([...(await found(over, 'Rechnumg'))].sort()).toEqual(['a', 'b'])
  })
})

describe('letters', () => {
  test.each([
    ['de', 'Strasse', 'Straße'],
    ['de', 'Straße', 'strasse'],
    ['da', 'Aeroskobing', 'Ærøskøbing'],
    ['fr', 'oeuvre', 'œuvre'],
    ['pl', 'Lodz', 'Łódź'],
    ['pl', 'Łódź', 'Lodz'],
    ['tr', 'ILICA', 'Ilıca'],
    ['ru', 'елка', 'ёлка'],
  ])('fold in %s: %s finds %s', async (tag, asked, body) => {
    expect(await found(await filled([tag], [{ id: 'a', body }]), asked, { typos: 'off' })).toEqual(['a'])
  })
})

describe('compounds', () => {
  test.each([
    ['de', 'Zimmer', 'Arbeitszimmer', 'Arbeit'],
    ['nl', 'huis', 'ziekenhuis', 'zieken'],
    ['sv', 'skola', 'sommarskola', 'sommar'],
    ['da', 'dreng', 'skoledreng', 'skole'],
    ['de', 'Geschenk', 'Geburtstagsgeschenke', 'Geburtstag'],
    ['de', 'Häuser', 'Krankenhauses', 'Kranken'],
    ['sv', 'skola', 'sommarskolan', 'sommar'],
    ['nl', 'boek', 'woordenboeken', 'woorden'],
  ])('of %s are found by a part: %s in %s', async (tag, asked, compound, other) => {
    const batch = [
      { id: 'a', body: compound },
      { id: 'b', body: other },
    ]
    expect(await found(await filled([tag], batch), asked, { typos: 'off' })).toEqual(['a'])
    // The other part need not be a word of the store: a store in the language would find less than one in English.
    expect(await found(await filled([tag], batch.slice(0, 1)), asked, { typos: 'off' })).toEqual(['a'])
    expect(await found(await filled([], batch.slice(0, 1)), asked, { typos: 'off' })).toEqual([])
  })

  test.each([
    ['Kellerschlüssel', 'Der Schlüssel zum Keller hängt am Haken'],
    ['Zahnarzt', 'Zahnarzttermin am Montag'],
    ['Bremse', 'Bremsbeläge erneuert'],
  ])('are found by both parts, apart or together: %s in "%s"', async (asked, body) => {
    const batch = [
      { id: 'a', body },
      { id: 'b', body: 'Das Rezept für Brot' },
    ]
    expect(await found(await filled(['de'], batch), asked, { typos: 'off' })).toEqual(['a'])
  })

  test('a word that only has the same beginning as a word of three letters is none', async () => {
    expect(
      await found(
        await filled(
          ['de'],
          [
            { id: 'a', body: 'Zimmern' },
            { id: 'b', body: 'Wintermantel' },
          ],
        ),
        'Winde',
        { typos: 'off' },
      ),
    ).toEqual([])
  })
})

test('function words of a language do not outrank the subject', async () => {
  const batch = [
    { id: 'subject', body: 'Die Brücke wurde erneuert, und zwar vollständig und mit viel Aufwand im letzten Sommer.' },
    { id: 'words', body: 'Wann wird das, wer wird der, und wann wird die' },
  ]
  expect((await found(await filled(['de'], batch), 'Wann wird die Brücke erneuert?'))[0]).toBe('subject')
  const question = { text: 'Wann wird der die das' }
  // Where nothing else is left, they are searched for.
  expect((await found(await filled(['de'], batch), question.text))[0]).toBe('words')
})

test.each([
  [
    'it',
    "Dov'è il ponte?",
    'Dove, quando, chi e quale è?',
    'Il ponte è stato rinnovato la scorsa estate con molta fatica.',
  ],
  ['zh', '大桥是什么时候翻修的?', '什么时候是什么?什么时候?', '大桥去年夏天由市政府出资翻修。'],
  ['zh', '为什么翻修大桥?', '什么时候是什么?为什么?', '大桥去年夏天由市政府出资翻修。'],
  ['ja', '橋はどこですか', 'いつ、どこで、何を、なぜですか。', '橋は去年の夏に改修されました。'],
])('nor in %s: %s', async (tag, asked, words, subject) => {
  const batch = [
    { id: 'words', body: words },
    { id: 'subject', body: subject },
  ]
  expect((await found(await filled([tag], batch), asked))[0]).toBe('subject')
})

describe('the rows of forms', () => {
  test('[W3] forgetting erases exactly the forms that no other record has', async () => {
    const canary = { id: 'canary', body: 'Geheimniskrämereien Straßenbahnen' }
    const over = await filled(['de'], [...germanRecords, canary])
    const without = formsIn(await filled(['de'], germanRecords))
    expect(formsIn(over).some((row) => row.includes('geheimniskramer'))).toBe(true)
    await over.call('forget', { ids: ['canary'] })
    expect(formsIn(over)).toEqual(without)
    expect(dump(over.database)).not.toContain('geheimniskramer')
    await over.call('put', { batch: [{ id: 'katzen', body: 'Neuer Text' }] })
    expect(formsIn(over).some((row) => row.includes('katz'))).toBe(false)
    expect(await over.call('integrityCheck', {})).toMatchObject({ ok: true })
  })

  test('[V3] an integrity check finds and rebuilds them', async () => {
    const over = await filled(['de'], germanRecords)
    const before = formsIn(over)
    over.database.execute(`DELETE FROM forms WHERE word = 'katzen'`)
    over.database.execute(`INSERT INTO forms (key, word) VALUES ('de x', 'y')`)
    expect(await over.call('integrityCheck', {})).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('the word forms are not those of the vocabulary')],
    })
    await over.call('integrityCheck', { repair: true } as never)
    expect(formsIn(over)).toEqual(before)
  })

  test('[D3] other languages at opening give the store that was made with them', async () => {
    const made = await filled(['de', 'en'], germanRecords)
    const changed = (await filled(['en'], germanRecords)).reopen({ languages: ['en', 'de'] })
    expect(formsIn(changed)).toEqual(formsIn(made))
    for (const [, query] of germanQuestions) {
      const answer = async ({ call }: OpenedOver) => {
        const { hits, evidence, plan } = await call('recall', { query })
        return { hits, evidence, plan }
      }
      expect(await answer(changed)).toEqual(await answer(made))
    }
    expect(formsIn(changed.reopen({ languages: ['en'] }))).toEqual(formsIn(await filled(['en'], germanRecords)))
  })

  test('[D3] a store in English alone has only folded letters', async () => {
    expect(formsIn(await filled(['en'], germanRecords))).toEqual([' lodz łodz', ' orst ørsted', ' strass straße'])
  })
})

test('[D1] a German store gives the golden bytes', async () => {
  const golden = readFileSync(new URL('../../../golden/german.sha256', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  expect(await runGerman({ openRecall }, 'memory')).toEqual(golden)
  const changed = await runGerman({ openRecall }, 'memory', true)
  expect(changed, 'control: another record changes some answers').not.toEqual(golden)
  expect(changed.filter((line, i) => line === golden[i]).length).toBeGreaterThan(0)
})
