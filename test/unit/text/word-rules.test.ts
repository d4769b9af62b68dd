/** Checks the rules by which text becomes words, one by one: those that follow the text in the index. */
import { describe, expect, test } from 'vitest'
import { sha256Hex } from '../../../src/core/text/hash/sha256.ts'
import { compatibleLetters } from '../../../src/core/text/tokenise/compatible-letters.ts'
import { furtherWords, wordRules } from '../../../src/core/text/tokenise/index-form.ts'
import { irregularFormsOf } from '../../../src/core/text/tokenise/irregular-forms.ts'
import { signWords } from '../../../src/core/text/tokenise/sign-words.ts'
import { tokenise } from '../../../src/core/text/tokenise/tokenise.ts'
import { numberRules, writtenNumbers } from '../../../src/core/text/tokenise/written-numbers.ts'

const written = (text: string) => signWords(text).map(({ from, to }) => text.slice(from, to))
const words = (text: string) => tokenise(text).map(({ word }) => word)

test('compatible letters are those of one version of Unicode in every engine', () => {
  let all = ''
  for (let codePoint = 0; codePoint < 0x30000; codePoint++) {
    const letters = compatibleLetters(codePoint)
    if (letters !== null) all += `${codePoint}:${letters}\n`
  }
  expect(all.split('\n').length).toBe(4006)
  expect(sha256Hex(all)).toBe('756b97a397f4fddd4c6a2a5420e78f60339c086fd17f2ead4364e1e3522f87bb')
})

test.each([
  ['ＡＢＣ', 'abc'],
  ['ﾊﾞｶ', 'バカ'],
  ['ﬁle', 'file'],
  ['oﬃce', 'office'],
  ['x²', 'x2'],
  ['H₂O', 'h2o'],
  ['Ⅷ', 'viii'],
  ['𝐁𝐨𝐥𝐝', 'bold'],
  ['ﻻ', 'لا'],
  ['أحمد', 'احمد'],
  ['كتـاب', 'كتاب'],
  ['שָׁלוֹם', 'שלום'],
  ['①', '1'],
  ['٣٠٧', '307'],
  ['۱۲۳۴', '1234'],
  ['२०४', '204'],
  ['৪৫', '45'],
  ['๕๐๑', '501'],
  ['៣០', '30'],
])('%s is the word %s', (text, word) => expect(words(text)).toEqual([word]))

test.each([
  ['skills: c++, c#; f# and .net', ['c++', 'c#', 'f#', '.net']],
  ['(#1) @anna and a@b.c', ['#1', '@anna']],
  ['C++11, notepad++-like, but a+b', ['C++', 'notepad++']],
  ['50% of $5, 18+', ['50%', '$5', '18+']],
  ['20 % and 7\u00a0%, but a % b', ['20 %', '7\u00a0%']],
  ['an end.Next ...and #bug.', ['#bug']],
  ['rm -rf /', ['-rf', 'rm -rf']],
  ['git push --force', ['--force', 'push --force']],
  ['well-known, 5 - 3', []],
  ['🎵👍🏽 ❤️ → 🇩🇪', ['🎵', '👍🏽', '❤️', '→', '🇩🇪']],
])('signs of %s', (text, found) => expect(written(text)).toEqual(found))

test('an emoji is one word with and without skin tone and variant; a sequence is its parts, too', () => {
  expect(furtherWords('👍🏽')).toEqual(furtherWords('👍'))
  expect(furtherWords('❤️')).toEqual(furtherWords('❤'))
  expect(furtherWords('👩‍💻')).toEqual(expect.arrayContaining([...furtherWords('👩'), ...furtherWords('💻')]))
})

describe.each(numberRules)('$name', ({ examples }) => {
  test.each(examples)('%s', (text, word) => {
    expect(writtenNumbers(`a ${text} b`)).toEqual([{ word, from: 2, to: 2 + text.length }])
  })
})

test('an amount without cents is the number, too; digits of other scripts are digits', () => {
  const numbers = (text: string) => writtenNumbers(text).map(({ word }) => word)
  expect(numbers('1.250,00 EUR')).toEqual(['1250\ue02e00', '1250'])
  expect(numbers('٢:٣٠')).toEqual(numbers('2:30'))
  expect(numbers('१,२९९')).toEqual(['1299'])
})

test('a minus of mathematics is a minus', () => expect(furtherWords('−5 °C')).toEqual(furtherWords('-5 °C')))

test.each([
  '14.2.1.0',
  '1 299',
  '978-3-16-148410-0',
  '25:00',
  '2026-13-01',
  '192.168.0.1:8080',
  'v10.4',
  'a5k',
  '0x1234 y',
  '2 x y',
  '3/4',
])('%s has no other form', (text) => {
  expect(writtenNumbers(text).filter(({ word }) => !/^\d+\ue02e\d+$/.test(word))).toEqual([])
})

test('the last letter of a run is a word; vowel marks of South-East Asia belong to their letters', () => {
  expect(furtherWords('今日は大雨')).toEqual(['雨'])
  expect(furtherWords('雨')).toEqual([])
  expect(words('ລາວ')).toEqual(['ລາ', 'າວ'])
  expect(words('စား')).not.toEqual(words('စ'))
  expect(wordRules.filter(({ isFurther }) => isFurther)).toHaveLength(4)
})

test.each([
  ['eat', 'ate'],
  ['children', 'child'],
  ['mouse', 'mice'],
  ['flew', 'fly'],
  ['see', 'saw'],
  ['driving', 'drove'],
  ['analysis', 'analyses'],
  ['cactus', 'cacti'],
  ['criteria', 'criterion'],
  ['octopi', 'octopus'],
  ['forum', 'fora'],
  ['larvae', 'larva'],
  ['tableaux', 'tableau'],
  ['prognoses', 'prognosis'],
  ['flew', 'flies'],
  ['try', 'tries'],
  ['cried', 'cry'],
  ['sky', 'skies'],
  ['dying', 'die'],
  ['went', 'goes'],
  ['bus', 'buses'],
  ['virus', 'viruses'],
  ['statuses', 'status'],
  ['lens', 'lenses'],
])('%s has the form %s', (word, form) => expect(irregularFormsOf(word)).toContain(form))
