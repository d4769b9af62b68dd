import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { furtherWords, indexForm, needsIndexForm } from '../../../src/core/text/tokenise/index-form.ts'
import { characterClass, characterClasses, isTokenCharacter } from '../../../src/core/text/tokenise/letters.ts'
import { foldWord, tokenise } from '../../../src/core/text/tokenise/tokenise.ts'
import { openFts5Oracle } from '../../support/fts5-oracle.ts'

const oracle = await openFts5Oracle('unicode61 remove_diacritics 2')
const words = (text: string) => tokenise(text).map((token) => token.word)
/** With the words that follow the text in the index. */
const all = (text: string) => [...words(text), ...furtherWords(text)]

const samples: Record<string, string> = {
  ascii: "Don't re-open FILE_name.ts:42 (v2.0)",
  'latin-1': 'Zürich, façade naïve ÆON straße Œuvre ½ x² µm ª',
  decomposed: 'cafe\u0301 Zu\u0308rich e\u0302\u0301 \u0301lead a\u0305b',
  vietnamese: 'Tiếng Việt được',
  greek: 'Ελληνικά ΣΟΦΟΣ σοφός ᾳδης',
  cyrillic: 'Ёлка йод Київ ЩУКА и\u0306',
  turkish: 'İstanbul ışık Iğdır ŞİŞLİ',
  folded: 'ſtraſſe ß ẞ K Å ﬁ ＡＢＣ １２',
  chinese: '深圳abc机器学习。好',
  japanese: '東京タワーへ行く カ\u3099 か\u3099 ｶﾞ 々ー',
  korean: '한국어 문장 \u1112\u1161\u11ab\u1100\u116e\u11a8 ㄱㄴ',
  thai: 'ภาษาไทยดีมาก ๒๕๖๖ ก็',
  emoji: 'great🤔news ❤️ 👩‍💻 🙂x 1️⃣ 🇩🇪',
  money: '₽100 ₺ 5€ ₿x',
  hindi: 'हिन्दी भाषा की किताब',
  arabic: 'كِتَاب ٱلْعَرَبِيَّة ٣٤',
  hebrew: 'שָׁלוֹם עולם',
  'new tai lue': 'a\u19b0b \u19b0 \u1cf2',
  'marks alone': '\u0301 \u093f \u08e3abc x\u08e3y',
  'no break': 'zero\u200bwidth\u00adsoft\u200djoin\ufeff',
  nul: 'a\0b',
  'lone surrogates': 'a\ud800b \udc00c 深\ud842',
  'astral letters': '𐐀𐐨 𝐀𝐛 𠮷野家 𞤀',
  empty: '',
}

describe('tokenise', () => {
  it.each(Object.entries(samples))('[Q1] agrees with SQLite word for word: %s', (_name, text) => {
    expect(all(text)).toEqual(oracle([indexForm(text)])[0])
    expect(needsIndexForm(text)).toBe(indexForm(text) !== text)
  })

  it('[Q1] agrees with SQLite on every character assigned or private, after a letter and before one', () => {
    const texts: string[] = []
    for (let from = 0; from < 0x110000; from += 1024) {
      // Planes 4 to 13 are empty, 15 and 16 all private.
      if ((from >= 0x32400 && from < 0xe0000) || (from >= 0xe0400 && from < 0x10fc00)) continue
      let text = ''
      for (let codePoint = from; codePoint < from + 1024; codePoint++) text += `a${String.fromCodePoint(codePoint)}b `
      texts.push(text)
    }
    const differing = oracle(texts.map(indexForm)).flatMap((found, index) => {
      const own = all(texts[index]!)
      return own.join(' ') === found.join(' ') ? [] : [texts[index]]
    })
    expect(differing).toEqual([])
  })

  it('[Q1] agrees with SQLite on 2,000 random texts', () => {
    const texts = fc.sample(anyText, { numRuns: 2000, seed: 20 })
    oracle(texts.map(indexForm)).forEach((found, index) => {
      const text = texts[index]!
      expect(all(text), JSON.stringify(text)).toEqual(found)
      if (!needsIndexForm(text)) expect(indexForm(text)).toBe(text)
    })
  })

  it('reports the position of each word', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let last = 0
        for (const { word, from, to } of tokenise(text)) {
          expect(from).toBeGreaterThanOrEqual(last)
          expect(to).toBeGreaterThan(from)
          expect(word).not.toBe('')
          const written = text.slice(from, to)
          // Vowel marks of South-East Asia are private characters.
          if (/[\uf000-\uf7ff]/.test(word)) continue
          const composed = ['NFC', 'NFKC'].map((form) => foldWord(written.normalize(form)))
          expect([foldWord(written), ...composed]).toContain(word)
          last = from
        }
      }),
      { seed: 21, numRuns: 500 },
    )
    expect(tokenise('Über 東京都x')).toEqual([
      { word: 'uber', from: 0, to: 4 },
      { word: '東京', from: 5, to: 7 },
      { word: '京都', from: 6, to: 8 },
      { word: 'x', from: 8, to: 9 },
    ])
  })

  it('finds a word however its accents and syllables were typed', () => {
    for (const text of ['café Zürich', 'ガイド', '한국어']) expect(words(text.normalize('NFD'))).toEqual(words(text))
  })

  it('never mixes unspaced scripts with their neighbours, and keeps a single letter', () => {
    expect(words('v2深圳ok 好')).toEqual(['v2', '深圳', 'ok', '好'])
  })

  it('leaves a text unchanged when SQLite reads it alike', () => {
    for (const text of ['plain', 'naïve Ελλάδα', 'heart of gold', 'cafe\u0301']) expect(indexForm(text)).toBe(text)
    expect(indexForm('a 東京都 b')).toBe('a  東京 京都  b\n都')
    expect(indexForm('hm🤔yes')).toBe('hm yes\n\u{10f914}')
  })
})

describe('letters', () => {
  it('treats letters, numbers, marks and private characters as parts of words, nothing else', () => {
    for (const character of 'aZ0éßя٣ⅷ½ªिน\u0301\ue000𠮷')
      expect(isTokenCharacter(character.codePointAt(0)!), character).toBe(true)
    for (const character of ' _-.\'"€🙂→。\0\u200b')
      expect(isTokenCharacter(character.codePointAt(0)!), character).toBe(false)
  })

  it('separates at characters newer than Unicode 15', () => {
    for (const codePoint of [0x2ebf0, 0x1c89, 0xa7cb, 0x1fae9]) expect(isTokenCharacter(codePoint)).toBe(false)
  })

  it('knows where unicode61 (Unicode 6.1) differs', () => {
    const counts: Record<string, number> = {}
    const names = Object.entries(characterClasses)
    for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
      const kind = characterClass(codePoint)
      const name = (names.find(([, value]) => value === kind) as [string, number])[0]
      counts[name] = (counts[name] ?? 0) + 1
    }
    expect(counts).toEqual({
      gap: 8425,
      letter: 164446,
      unspaced: 110936,
      mark: 25,
      gapMark: 1620,
      letterMark: 826,
      letterGap: 827834,
    })
  })
})

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Object.values(samples)),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.string({
        unit: fc.constantFrom(...'aé ß\u0301\u0302\u3099か한\u1112\u1161ก็İ🤔❤\ufe0f_-\u08e3\u19b0'),
        maxLength: 10,
      }),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(''))
