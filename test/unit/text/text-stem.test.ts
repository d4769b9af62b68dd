import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stem } from '../../../src/core/text/tokenise/stem.ts'
import { foldWord, tokenise } from '../../../src/core/text/tokenise/tokenise.ts'
import { sizedTo } from '../../support/data/sized.ts'
import { openFts5Oracle } from '../../support/fts5-oracle.ts'

const oracle = await openFts5Oracle('porter unicode61 remove_diacritics 2')

/** One word per text, so that a word that yields two tokens is noticed. */
const differing = (words: readonly string[]) =>
  oracle(words).flatMap((found, index) => {
    const word = words[index]!
    return found.length === 1 && found[0] === stem(word) ? [] : [`${word}: ${stem(word)}, SQLite ${found.join(' ')}`]
  })

const roots =
  'caress poni ti cat feed agre plaster motor sing conflat troubl siz hopp tann fall hiss fizz fail fil happ sk relat condit ' +
  'ration valenc hesit digit conform radic differ vil analog vietnam predic oper feudal decis hope callous formal sensit sensib ' +
  'triplic form electric good reviv allow infer airlin gyroscop adjust defens irrit replac depend adopt commun activ angul effect ' +
  'bowdler prob rat ceas controll roll toy syzyg yell yes bay say y a e s us is ss abl try boy lay sky snow box tray xy yy ' +
  'generat univers organ connect index retriev embed token snippet canonic я яa aя ñoñ 深a zzz queue aeiou rhythm 42 v2 x86'
const endings =
  ' s es ed ing er y ies sses eed ational tional enci anci izer logi bli alli entli eli ousli ization ation ator alism iveness ' +
  'fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence ic able ible ant ement ment ent ion ' +
  'sion tion ou ism ate iti ous ive ize e ll ly ying yed'

it('[D1] stems 6,000 invented words as SQLite does', () => {
  const words = roots.split(' ').flatMap((root) => endings.split(' ').map((ending) => foldWord(root + ending)))
  const single = [...new Set(words)].filter((word) => tokenise(word).length === 1)
  expect(single.length).toBeGreaterThan(6000)
  expect(differing(single)).toEqual([])
})

it('[D1] stems random words as SQLite does', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'aeiouybcdlnstwxz'), minLength: 1, maxLength: 9 })
  const any = fc.tuple(letters, fc.constantFrom(...endings.split(' '))).map(([root, ending]) => root + ending)
  expect(differing(fc.sample(any, { numRuns: 8000, seed: 30 }))).toEqual([])
})

it('leaves words of under 3 or over 64 bytes unchanged', () => {
  const words = [
    'us',
    'яs',
    `${'a'.repeat(60)}ings`,
    `${'a'.repeat(61)}ings`,
    `${'я'.repeat(30)}bing`,
    `${'я'.repeat(31)}aing`,
    `${'ࠀ'.repeat(30)}aings`,
  ]
  expect(differing(words)).toEqual([])
  expect(stem(`${'a'.repeat(61)}ings`)).toBe(`${'a'.repeat(61)}ings`)
  expect(stem('')).toBe('')
})

/** Words of real texts, where the evaluation data exist (SCRUBJAY_EVAL_DATA names their folder). */
const dataFolder = resolve(process.env['SCRUBJAY_EVAL_DATA'] ?? '../shared/eval/data')

it.skipIf(!existsSync(dataFolder))(
  '[D1] stems the words of the evaluation texts as SQLite does: every fifth, in a long run every one',
  () => {
    const words = new Set<string>()
    const vocabulary = resolve(dataFolder, '../../models/minilm-static-128/vocab.txt')
    const files = readdirSync(dataFolder).map((set) => resolve(dataFolder, set, 'corpus.jsonl'))
    for (const file of [vocabulary, ...files].filter((path) => existsSync(path))) {
      // Escapes of JSON would join their letter to a word.
      for (const { word } of tokenise(readFileSync(file, 'utf8').replace(/\\[nt"]/g, ' '))) words.add(word)
    }
    expect(words.size).toBeGreaterThan(30_000)
    const stride = sizedTo(5, 1)
    expect(differing([...words].filter((_, i) => i % stride === 0))).toEqual([])
  },
  120_000,
)
