/** Tests the guess of a text's languages, on sentences and questions, and where it must stay undecided. */
import { describe, expect, test } from 'vitest'
import { guessLanguages } from '../../../src/core/text/tokenise/guess-language.ts'
import { loadLanguages } from '../../../worker/languages/load-languages.ts'
import { createWordForms } from '../../../worker/languages/word-forms.ts'

const tags = ['de', 'es', 'fr', 'it', 'nl', 'pt', 'sv', 'tr', 'ru', 'zh']
await loadLanguages([...tags, 'da'])
const words = createWordForms(tags, 'porter').functionWords

describe('the language of a text', () => {
  test.each([
    ['en', 'When do we deploy the migration?'],
    ['en', 'The panthers defense gave up just 308 points, ranking sixth in the league.'],
    ['de', 'Wann wird die Migration ausgerollt?'],
    ['de', 'Wo ist der Schlüssel?'],
    ['es', '¿Dónde está la llave del garaje?'],
    ['fr', 'Où est la clé de rechange ?'],
    ['it', 'Quando parte il tram per il porto?'],
    ['nl', 'Wanneer is de huur van het huis verschuldigd?'],
    ['pt', 'Onde está a chave da garagem?'],
    ['sv', 'När ska hyran betalas och vem betalar den?'],
    ['tr', 'Yedek anahtar nerede ve kim için?'],
    ['Cyrillic', 'Где лежит запасной ключ?'],
    ['Han', '备用钥匙在哪里?'],
    ['Kana', '予備の鍵はどこにありますか'],
    ['Hangul', '예비 열쇠는 어디에 있나요'],
    ['Arabic', 'أين المفتاح الاحتياطي؟'],
    ['Thai', 'กุญแจสำรองอยู่ที่ไหน'],
    ['Greek', 'Πού είναι το κλειδί;'],
  ])('%s: %s', (language, text) => {
    expect(guessLanguages(text, words)).toEqual([language])
  })

  test.each(['', '2026-11-03 42', 'Berlin Panthers', 'kubectl rollout restart', 'Panthers 308 Newton touchdown'])(
    'stays undecided without function words: %j',
    (text) => {
      expect(guessLanguages(text, words)).toEqual([])
    },
  )

  test('stays undecided where one in a long text may be of another language', () => {
    expect(guessLanguages('Vogel Nest Eichel Baum Wald Haus See Berg Tal Fluss Stein in', words)).toEqual([])
    const two = createWordForms(['en', 'fr'], 'porter').functionWords
    expect(guessLanguages('Vogel Nest in Eichel', two)).toEqual(['en'])
    // At least every tenth word.
    expect(guessLanguages('Vogel Nest Eichel Baum Wald Haus See Berg Tal in', two)).toEqual(['en'])
    expect(guessLanguages('Vogel Nest Eichel Baum Wald Haus See Berg Tal Fluss in', two)).toEqual([])
  })

  test('is the one whose words are not known, if no other shows; not of two words', () => {
    const polish = createWordForms(['en', 'pl'], 'porter').functionWords
    expect(guessLanguages('Gdzie leży zapasowy klucz?', polish)).toEqual(['pl'])
    expect(guessLanguages('zapasowy klucz', polish)).toEqual([])
    expect(guessLanguages('Where is the spare key?', polish)).toEqual(['en'])
    expect(
      guessLanguages('Gdzie leży zapasowy klucz?', createWordForms(['en', 'pl', 'cs'], 'porter').functionWords),
    ).toEqual([])
  })
})
