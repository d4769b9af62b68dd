/** Tests runs and their folding (policy `ctxsift`): what is one term, and which texts are the same except for case. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ctxsiftTerms, foldForRuns, isRunAt, runEnd } from '../../../src/core/text/tokenise/path-tokens.ts'
import { wellFormed } from '../../../src/core/text/tokenise/well-formed.ts'

describe('terms', () => {
  it.each([
    ['', []],
    [' ?! 🤔 "" ', []],
    ['Why does the test fail in src/Auth.py?', ['why', 'does', 'the', 'test', 'fail', 'in', 'src/auth.py']],
    ['the The THE a', ['the', 'a']],
    ['C:\\src\\a.ts:12 --no-cache __init__ a::b', ['c:\\src\\a.ts:12', '--no-cache', '__init__', 'a::b']],
    ['f(x)=y+1, a@b; 2½', ['f', 'x', 'y', '1', 'a', 'b', '2½']],
    ['図書館 の鳥。ไทย', ['図書館', 'の鳥', 'ไทย']],
    ['cafe\u0301 café', ['cafe\u0301', 'café']],
    ['👩\u200d💻jay🤔', ['jay']],
    ['Σίσυφος ΣΊΣΥΦΟΣ', ['σίσυφοσ']],
    ['Straße STRASSE', ['strasse']],
  ])('of %j', (text, terms) => expect(ctxsiftTerms(text)).toEqual(terms))
})

describe('folding', () => {
  it.each([
    ['ẞ', 'ss'],
    ['ς', 'σ'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['İ', 'i\u0307'],
    ['I', 'i'],
    ['ı', 'ı'],
    ['ﬁ', 'fi'],
    ['\u212a', 'k'],
    ['\u017f', 's'],
    ['\u00b5', '\u03bc'],
    ['Ⓐ', 'ⓐ'],
    ['É', 'é'],
    ['\ud83e', '\ufffd'],
    // Letters of Unicode 16: whether an engine knows their lower case must not matter.
    ['\u{10d50}', '\u{10d50}'],
    ['\ua7cb', '\ua7cb'],
  ])('%j is %j', (text, folded) => expect(foldForRuns(text)).toBe(folded))

  const cased = fc.string({
    unit: fc.oneof(fc.constantFrom('ß', 'İ', 'ı', 'Σ', 'ς', "'", '.', ' ', 'A', '\u0345', 'ŉ', '\ud800'), fc.string()),
  })

  it('[Q1] folds parts as it folds the whole, and folding twice changes nothing more', () => {
    fc.assert(
      fc.property(cased, cased, (before, after) => {
        const [one, other] = [wellFormed(before), wellFormed(after)]
        expect(foldForRuns(one + other)).toBe(foldForRuns(one) + foldForRuns(other))
        expect(foldForRuns(foldForRuns(before))).toBe(foldForRuns(before))
      }),
    )
  })

  it('[Q1] control: toLowerCase depends on the surrounding letters', () => {
    expect('ΟΣ'.toLowerCase()).not.toBe('Ο'.toLowerCase() + 'Σ'.toLowerCase())
  })

  it('[D1] a run folds to a run, and other text to other text, for every character with a case', () => {
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue
      const character = String.fromCodePoint(codePoint)
      if (character.toLowerCase() === character && character.toUpperCase() === character) continue
      const folded = foldForRuns(character)
      if (runEnd(folded, 0) !== folded.length || isRunAt(folded, 0) !== isRunAt(character, 0))
        expect.fail(`U+${codePoint.toString(16)} folds to ${JSON.stringify(folded)}`)
    }
  })
})
