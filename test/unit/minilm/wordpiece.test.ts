/** Tests the tokenizer of scrubjay-minilm: BERT's rules for every kind of character, by tables that no engine changes. */
import { describe, expect, test } from 'vitest'
import { classes, classOf, foldOf } from '../../../minilm/src/tokenizer/characters.ts'
import { createTokenizer } from '../../../minilm/src/tokenizer/wordpiece.ts'
import { isTokenCharacter } from '../../../src/core/text/tokenise/letters.ts'
import { sha256Hex } from '../../../src/core/text/hash/sha256.ts'
import { madeWords } from '../../support/minilm/made-encoder.ts'
import { hostileText } from '../../support/hostile-texts.ts'
import { createRandom } from '../../support/data/random.ts'

const tokenize = createTokenizer(madeWords, true)
const wordsOf = (text: string, tokenizer = tokenize) =>
  tokenizer(text, 64)
    .slice(1, -1)
    .map((id) => madeWords[id])

describe('words', () => {
  test.each<[string, readonly string[]]>([
    ['', []],
    [' \t\r\n\u00a0\u3000', []],
    ['The  jay', ['the', 'jay']],
    ['jays hiding acorns', ['jay', '##s', 'h', '##i', '##d', '##ing', 'acorns']],
    ['JÄY\u0301', ['jay']],
    ['ja\u0308y', ['jay']],
    ['a-b.c', ['a', '-', 'b', '.', 'c']],
    ['in\u200bthe', ['in', '##t', '##h', '##e']],
    ['j\0a\u00ady', ['jay']],
    ['\ud800jay\udc00', ['jay']],
    ['the記憶in', ['the', '記', '憶', 'in']],
    ['jay\u2028the', ['jay', 'the']],
    ['jay\u{1f426}', ['[UNK]']],
    ['jay \u{1f426} the', ['jay', '[UNK]', 'the']],
    ['ＪＡＹ', ['[UNK]']],
    ['\u037e', [';']],
    [`${'a'.repeat(100)} the`, ['a', ...Array.from({ length: 61 }, () => '##a')]],
    [`${'a'.repeat(101)} the`, ['[UNK]', 'the']],
    [`${'a'.repeat(5_000)} the`, ['[UNK]', 'the']],
    [`${'\u0301'.repeat(5_000)} the`, ['the']],
  ])('of %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  test('of a model with capitals keep them', () => {
    const cased = createTokenizer(madeWords, false)
    expect(wordsOf('Jay the THE', cased)).toEqual(['Jay', 'the', '[UNK]'])
  })

  test('are at most as many as the model reads', () => {
    for (const most of [8, 9, 64]) expect(tokenize('the jay '.repeat(100), most)).toHaveLength(most)
  })

  test('of hostile texts are known words', () => {
    const random = createRandom(42)
    for (let i = 0; i < 500; i++) {
      for (const id of tokenize(hostileText(random), 64)) expect(madeWords[id]).toBeTypeOf('string')
    }
  })
})

describe('characters', () => {
  test('have the classes and folds of Unicode 15.0, by their hash', () => {
    const rows: string[] = []
    for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
      const folded = codePoint >= 0xd800 && codePoint < 0xe000 ? '' : foldOf(codePoint)
      rows.push(`${classOf(codePoint)}${folded.length === 1 && folded.codePointAt(0) === codePoint ? '' : folded}`)
    }
    expect(sha256Hex(rows.join(' '))).toBe('d8e7e1ffdbea51e1ca3feef577e6a0b7e371b9bb92660c3445df72fcc85269f4')
  })

  test('of words fold as the engine folds them, which knows at least Unicode 15.0', () => {
    const differing: string[] = []
    for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
      if (!isTokenCharacter(codePoint) || classOf(codePoint) !== classes.letter) continue
      const text = String.fromCodePoint(codePoint)
      const folded = text
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .toLowerCase()
        .replace(/\p{Mn}/gu, '')
      if (folded !== foldOf(codePoint)) differing.push(codePoint.toString(16))
    }
    expect(differing).toEqual([])
  })

  test.each<[string, number, number]>([
    ['a control', 0x7, classes.dropped],
    ['a line feed', 0xa, classes.space],
    ['the replacement character', 0xfffd, classes.dropped],
    ['a private character', 0xe000, classes.dropped],
    ['an acute accent', 0x301, classes.mark],
    ['a currency sign', 0x24, classes.punctuation],
    ['the euro', 0x20ac, classes.letter],
    ['a guillemet', 0xab, classes.punctuation],
    ['Han', 0x4e00, classes.han],
    ['Hangul', 0xac00, classes.letter],
    ['kana', 0x3042, classes.letter],
    ['a tag', 0xe0041, classes.dropped],
  ])('%s', (_name, codePoint, kind) => {
    expect(classOf(codePoint)).toBe(kind)
  })
})
