import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { snippet } from '../../../src/core/present/snippet.ts'
import { chunkText } from '../../../src/core/text/chunk.ts'
import { stem } from '../../../src/core/text/tokenise/stem.ts'
import { tokenise } from '../../../src/core/text/tokenise/tokenise.ts'

const marked = ({ text, marks }: ReturnType<typeof snippet>) => marks.map(([from, to]) => text.slice(from, to))
const stemsOf = (query: string) => new Set(tokenise(query).map((token) => stem(token.word)))
const loneSurrogate = /\p{Surrogate}/u
const filler = (words: number) => Array.from({ length: words }, (_, n) => `word${n}`).join(' ')

describe('snippet', () => {
  it('returns a short text complete and marks the matches', () => {
    const found = snippet('The Cats were running; cat!', stemsOf('cat runs'))
    expect(found.text).toBe('The Cats were running; cat!')
    expect(marked(found)).toEqual(['Cats', 'running', 'cat'])
    expect(snippet('', new Set(['a']))).toEqual({ text: '', marks: [] })
  })

  it('takes the window with the most distinct stems, the earliest of several', () => {
    const text = `alpha alpha alpha ${filler(60)} alpha beta ${filler(60)} beta alpha`
    const found = snippet(text, stemsOf('alpha beta gamma'), 80)
    expect(marked(found)).toEqual(['alpha', 'beta'])
    expect(found.text).toMatch(/^…word\d+ .*alpha beta word0 .*…$/)
    expect(found.text.length).toBeLessThanOrEqual(80)
  })

  it('shows a third of the spare room before a match, and the rest after it', () => {
    const text = `${'図'.repeat(60)} jay ${'図'.repeat(60)}`
    for (let length = 20; length <= 40; length++) {
      const { text: shown } = snippet(text, stemsOf('jay'), length)
      expect(shown).toHaveLength(length)
      // An ellipsis at each end.
      expect(shown.indexOf('jay') - 1).toBe(Math.floor((length - 'jay'.length - 2) / 3))
    }
  })

  it('shows the beginning when nothing matched, cut between words', () => {
    const found = snippet(filler(100), new Set(['absent']), 50)
    expect(found).toEqual({ text: 'word0 word1 word2 word3 word4 word5 word6 word7…', marks: [] })
  })

  it('finds folded words and unspaced scripts, and joins their marks', () => {
    expect(marked(snippet('Das Café — “naïve” ideas', stemsOf('cafe NAIVE')))).toEqual(['Café', 'naïve'])
    const found = snippet(`${'漢字'.repeat(200)}東京都庁${'仮名'.repeat(200)}`, stemsOf('東京都'), 40)
    expect(marked(found)).toEqual(['東京都'])
    expect(found.text.length).toBeLessThanOrEqual(40)
    expect(found.text.startsWith('…') && found.text.endsWith('…')).toBe(true)
  })

  it('misses no word in its quick check of how words begin', () => {
    for (const word of 'ays oys ys dies ties aed a I sky skies Agreed x86 42 YES Eying'.split(' ')) {
      expect(snippet(`(${word})`, stemsOf(word)).marks, word).toEqual([[1, word.length + 1]])
    }
  })

  it('looks at the first 65,536 characters only', () => {
    const text = `${'x '.repeat(32_768)}needle`
    expect(snippet(text, stemsOf('needle')).marks).toEqual([])
    expect(marked(snippet(`needle ${text}`, stemsOf('needle')))).toEqual(['needle'])
    expect(snippet('😀'.repeat(40_000), stemsOf('a')).text).not.toMatch(loneSurrogate)
  })

  it('keeps its promises for any text', () => {
    const part = fc.constantFrom(
      'cat ',
      'dogs, ',
      'ape\n',
      'x',
      ' ',
      '東京',
      '京都',
      '😀',
      'e\u0301',
      'ก็',
      '(cat)',
      'Ünïcode ',
      'a'.repeat(70),
    )
    const texts = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, fc.integer({ min: 3, max: 90 }), (text, maxLength) => {
        const stems = stemsOf('cat dog 東京都 unicode')
        const found = snippet(text, stems, maxLength)
        expect(found.text.length).toBeLessThanOrEqual(maxLength)
        const body = found.text.slice(found.text.startsWith('…') ? 1 : 0, found.text.endsWith('…') ? -1 : undefined)
        expect(text).toContain(body)
        expect(found.text).not.toMatch(loneSurrogate)
        let last = -1
        for (const [from, to] of found.marks) {
          expect(from).toBeGreaterThan(last)
          expect(to).toBeGreaterThan(from)
          expect(to).toBeLessThanOrEqual(found.text.length)
          last = to
        }
        const matches = tokenise(text).filter((token) => stems.has(stem(token.word)))
        if (matches.length === 0) expect(found.marks).toEqual([])
        if (matches.some((token) => token.to - token.from <= maxLength - 2)) expect(found.marks).not.toEqual([])
      }),
      { seed: 60, numRuns: 3000 },
    )
  })
})

describe('chunkText', () => {
  const written = (text: string, options?: Parameters<typeof chunkText>[1]) =>
    chunkText(text, options).map(({ from, to }) => text.slice(from, to))

  it('leaves a text of up to `words` words in one chunk', () => {
    expect(written(filler(120))).toEqual([filler(120)])
    expect(written('  one two \n')).toEqual(['one two'])
    expect(written(' \n ')).toEqual([])
  })

  it('starts a chunk every `stride` words', () => {
    expect(written(filler(221)).map((chunk) => chunk.split(' ').length)).toEqual([120, 120, 21])
    expect(written('a b c d e', { words: 3, stride: 2 })).toEqual(['a b c', 'c d e'])
    expect(() => chunkText('a', { words: 2, stride: 3 })).toThrow(RangeError)
  })

  it('cuts unspaced scripts and endless words between characters, never through one', () => {
    for (const text of ['漢字仮名'.repeat(600), '𠮷野'.repeat(900), `漢${'𠮷'.repeat(1500)}`, 'x'.repeat(5000)]) {
      const chunks = written(text)
      expect(chunks.length).toBeGreaterThan(2)
      for (const chunk of chunks) {
        expect(chunk.length).toBeLessThanOrEqual(1000)
        expect(chunk).not.toMatch(loneSurrogate)
      }
    }
    expect(written(`${filler(100)} https://example.com/a/rather/long/address/that/goes/on`)).toHaveLength(1)
  })

  it('covers every word', () => {
    const words = fc.array(fc.constantFrom('a', 'bb', '漢字'.repeat(20), 'y'.repeat(150), '\n'), { maxLength: 80 })
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 8 }), (parts, stride, more) => {
        const text = parts.join(' ')
        let covered = 0
        for (const { from, to } of chunkText(text, { words: stride + more, stride })) {
          expect(text.slice(covered, from).trim()).toBe('')
          covered = Math.max(covered, to)
        }
        expect(text.slice(covered).trim()).toBe('')
      }),
      { seed: 61, numRuns: 500 },
    )
  })
})
