/** Tests escaping of record texts: no hidden character passes, no text is lost, plain text is unchanged. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emojiBases } from '../../../src/core/present/emoji-bases.ts'
import { countHidden, escapeItem, escapeJson, escapeLine, escapeText } from '../../../src/core/present/escape.ts'
import { anyLineEnd, decoded, decodedItem, hostileText, tameText, unseen } from './hostile-text.ts'

const seed = 20240921

describe('escapeText', () => {
  it('names the characters that it makes visible', () => {
    expect(escapeText('a<b>&\u202e\u0000\r\ud800')).toBe('a&lt;b&gt;&amp;&#x202E;&#x0;&#xD;&#xD800;')
    expect(escapeLine('a\nb')).toBe('a&#xA;b')
  })

  it('leaves emoji and their selectors, and shows a selector without an emoji', () => {
    expect(escapeText('❤\ufe0f 🙂')).toBe('❤\ufe0f 🙂')
    expect(escapeText('a\ufe0f')).toBe('a&#xFE0F;')
    expect(escapeText('❤\ufe0f\ufe0f')).toBe('❤\ufe0f&#xFE0F;')
  })

  it.each([0x2800, 0x13430, 0x1343f, 0x1d159, 0xfffe, 0xffff, 0xfdd0, 0xe000, 0xf8ff, 0xf0000, 0x10fffd])(
    'makes U+%x visible',
    (code) => {
      const text = `a${String.fromCodePoint(code)}b`
      expect(escapeText(text)).toBe(`a&#x${code.toString(16).toUpperCase()};b`)
      expect(countHidden(text)).toBe(1)
      expect(JSON.parse(escapeJson(JSON.stringify(text)))).toBe(text)
    },
  )

  it('makes selectors visible where they carry only bits, and leaves emoji and keycaps', () => {
    expect(countHidden('→\ufe0e→\ufe0f→\ufe0e')).toBe(3)
    expect(countHidden('1\ufe0f2\ufe0e')).toBe(2)
    for (const text of ['❤\ufe0f', '⚡\ufe0f', '↩\ufe0e', '1\ufe0f\u20e3', '#\ufe0f\u20e3'])
      expect(escapeText(text)).toBe(text)
  })

  it('[A1] leaves at most one selector behind an emoji, whichever emoji it is', () => {
    const selectors = /[\ufe0e\ufe0f]/g
    const runs = ['\ufe0f\ufe0f', '\ufe0e\ufe0f\ufe0e\ufe0f', '\ufe0f'.repeat(64), '\u200d\ufe0f']
    for (const [first, last] of emojiBases)
      for (let code = first; code <= last; code++)
        for (const run of runs) {
          const text = String.fromCodePoint(code) + run
          expect(escapeText(text).match(selectors)?.length ?? 0).toBeLessThanOrEqual(1)
          expect(countHidden(text)).toBeGreaterThanOrEqual(run.length - 1)
          expect(decoded(escapeText(text))).toBe(text)
        }
  })

  it('[A1] passes no hidden character and no tag, and loses nothing', () => {
    const anyText = fc.oneof(hostileText, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = escapeText(text)
        expect(shown).not.toMatch(unseen)
        expect(shown).not.toMatch(/[<>\r]/)
        expect(decoded(shown)).toBe(text)
        expect(escapeLine(text).split(anyLineEnd)).toHaveLength(1)
        expect(decoded(escapeLine(text))).toBe(text)
      }),
      { seed, numRuns: 5000 },
    )
  })

  it('leaves plain text unchanged', () => {
    fc.assert(
      fc.property(tameText, (text) => {
        expect(escapeText(text)).toBe(text)
        expect(escapeItem(text)).toBe(text)
        expect(countHidden(text)).toBe(0)
      }),
      { seed },
    )
  })

  it('loses nothing of a long run', () => {
    for (const part of ['\u200b', ' ', '<', '❤\ufe0f\ufe0f', '\n', '\\'])
      expect(decodedItem(escapeItem(part.repeat(20_000)).split('\n  | '))).toBe(part.repeat(20_000))
  })
})

describe('escapeItem', () => {
  it('keeps a text on the lines of its item', () => {
    expect(escapeItem('# a\n- b\n\n---')).toBe('\\# a\n  | - b\n  | \n  | ---')
    expect(escapeItem('[CANONICAL]')).toBe('\\[CANONICAL]')
    expect(escapeItem('a \n')).toBe('a &#xA;')
  })
})

describe('countHidden', () => {
  it('counts invisible characters, but no line end or tab', () => {
    expect(countHidden('a\r\n\tb')).toBe(0)
    expect(countHidden('\u202ea\u200b\u{e0041}\u0000')).toBe(4)
    expect(countHidden('❤\ufe0f a\ufe0f')).toBe(1)
  })
})
