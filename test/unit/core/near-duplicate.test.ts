/** Tests near-duplicates: edits that change nothing, and one changed word that changes everything. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAlike, letterPairs } from '../../../src/core/similarity/letter-pairs.ts'
import { isNearDuplicate, similarity, textSignature } from '../../../src/core/similarity/near-duplicate.ts'
import { claimsOf } from '../../../src/core/text/extract/claims.ts'
import { createRandom } from '../../support/data/random.ts'

const seed = 20240927
const long =
  'Caroline told the team in Toronto that the backup server runs on Linux, that the invoice was paid to the printer, ' +
  'and that nothing else stands open before the audit begins in the large room upstairs'

const word: fc.Arbitrary<string> = fc.constantFrom(
  'server',
  'paid',
  'team',
  'audit',
  'printer',
  'room',
  'open',
  'large',
  'Toronto',
  'backup',
)
const sentence = fc.array(word, { minLength: 12, maxLength: 40 })
const spelled = (words: readonly string[]) => words.join(' ')

describe('letter pairs', () => {
  const random = createRandom(31)
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789äßж'
  const texts = Array.from({ length: 60 }, () =>
    Array.from({ length: 1 + random.below(40) }, () => random.pick([...letters])).join(''),
  )

  it('two texts are alike up to a share of the pairs that only one of them has, over all buckets', () => {
    let alike = 0
    for (const [i, text] of texts.entries()) {
      const other =
        i % 2 === 0 ? `${text}${texts[(i + 1) % texts.length]!.slice(0, 3)}` : texts[(i + 7) % texts.length]!
      const [a, b] = [letterPairs(text), letterPairs(other)]
      const different = a.counts.reduce((sum, count, bucket) => sum + Math.abs(count - b.counts[bucket]!), 0)
      for (const share of [0.05, 0.1, 0.2, 0.4, 0.9]) {
        const expected = different / (a.total + b.total) <= share
        expect(isAlike(a, b, share)).toBe(expected)
        alike += Number(expected)
      }
    }
    // Both outcomes are frequent.
    expect(alike).toBeGreaterThan(60)
    expect(alike).toBeLessThan(240)
  })

  it('two texts without letters are alike', () => {
    expect(isAlike(letterPairs('!'), letterPairs('?'), 0)).toBe(true)
  })
})

describe('isNearDuplicate', () => {
  it.each([
    ['case', 'The Build Is Green', 'the build is green'],
    ['punctuation', 'Thanks, Nate! See you soon.', 'Thanks Nate, see you soon'],
    ['space', 'a  new\n\nline here', 'a new line here'],
    ['accents', 'Café at Zürich', 'Cafe at Zurich'],
    ['articles', 'Clears terminal screen.', 'Clears the terminal screen'],
    ['greetings', 'The server is up', 'Hi, note: the server is up. Thanks!'],
    ['contractions', "It's fine, I'm sure, don't worry", 'It is fine, I am sure, do not worry'],
    ['curly apostrophes', 'It isn’t ready', "It isn't ready"],
    ['quotes of an option', "rm -rf '{}' now", 'rm -rf {} now'],
    ['Chinese punctuation', '这个系统支持中文。', '这个系统支持中文'],
    ['an added phrase in a long text', long, `${long}, Maria heard`],
  ])('collapses texts that differ in %s', (_, a, b) => {
    expect(isNearDuplicate(a, b)).toBe(true)
  })

  it.each([
    ['a number', 'invoice 1041 was paid in full', 'invoice 1042 was paid in full'],
    ['an added number', 'invoice was paid in full', 'invoice 7 was paid in full'],
    ['the order of numbers', 'from 5 to 7', 'from 7 to 5'],
    ['a number word', 'two nodes failed', 'three nodes failed'],
    ['a sign', 'load fell by -5 points', 'load fell by 5 points'],
    ['a percent sign', 'up 5% today', 'up 5 today'],
    ['negation', 'the port is open', 'the port is not open'],
    ['a contracted negation', 'it does work here', "it doesn't work here"],
    ['a moved negation', 'it is not old but big', 'it is old but not big'],
    ['without', 'deploy with tests', 'deploy without tests'],
    ['un-', 'the host is known', 'the host is unknown'],
    ['a date', 'released on 2024-05-01', 'released on 2024-05-02'],
    ['a month', 'due in May', 'due in June'],
    ['pm', 'call at nine am', 'call at nine pm'],
    ['a version', 'upgrade to v1.2.3 now', 'upgrade to v1.2.4 now'],
    ['an identifier', 'call getUser first', 'call getUsers first'],
    ['a path', 'edit src/a.ts', 'edit src/b.ts'],
    ['an option', 'sort -r names', 'sort -R names'],
    ['a suffix', 'restart svc-a', 'restart svc-b'],
    ['a letter', 'take vitamin A daily', 'take vitamin D daily'],
    ['a name', 'Alice paid the bill', 'Bob paid the bill'],
    ['who did it to whom', 'dog bites man', 'man bites dog'],
    ['direction', 'copy from disk to tape', 'copy to disk from tape'],
    ['a Chinese numeral', '第一章 介绍', '第二章 介绍'],
    ['a Chinese negation', '这个系统支持中文', '这个系统不支持中文'],
    ['a Japanese negation', 'これは動く', 'これは動かない'],
    ['a full-width digit', '請求書１', '請求書２'],
    ['all', '', 'anything'],
  ])('[S2] keeps apart texts that differ in %s, short or long', (_, a, b) => {
    expect(isNearDuplicate(a, b)).toBe(false)
    expect(isNearDuplicate(`${long}, ${a}, ${long}`, `${long}, ${b}, ${long}`)).toBe(a === '')
  })

  it('[S2] one number, identifier or negation inserted anywhere in a text makes another text', () => {
    const claim = fc.constantFrom(
      '1041',
      'not',
      'v2',
      'never',
      'get_user',
      'only',
      '3.5',
      "isn't",
      '--force',
      'without',
    )
    fc.assert(
      fc.property(sentence, fc.nat(40), claim, fc.constantFrom('', '.', ','), (words, at, put, sign) => {
        const changed = words.toSpliced(Math.min(at, words.length), 0, put + sign)
        expect(isNearDuplicate(spelled(words), spelled(changed))).toBe(false)
      }),
      { seed, numRuns: 3000 },
    )
  })

  it('[S2] one replaced word makes another text', () => {
    fc.assert(
      fc.property(sentence, fc.nat(39), (words, at) => {
        const changed = words.with(at % words.length, 'elephant')
        expect(isNearDuplicate(spelled(words), spelled(changed))).toBe(false)
      }),
      { seed, numRuns: 1000 },
    )
  })

  it('collapses texts that differ only in case, punctuation and light words', () => {
    const light = fc.constantFrom('the', 'please', 'really', 'THE', '...', '!')
    fc.assert(
      fc.property(sentence, fc.array(fc.tuple(fc.nat(40), light), { maxLength: 5 }), (words, put) => {
        const edited = put.reduce((list, [at, added]) => list.toSpliced(at % list.length, 0, added), words)
        expect(similarity(textSignature(spelled(words)), textSignature(spelled(edited).toLowerCase()))).toBe(1)
      }),
      { seed, numRuns: 1000 },
    )
  })

  it('is reflexive and symmetric, and equals itself on signatures', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), sentence.map(spelled))
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(isNearDuplicate(a, a)).toBe(true)
        expect(isNearDuplicate(a, b)).toBe(isNearDuplicate(b, a))
        expect(isNearDuplicate(textSignature(a), textSignature(b))).toBe(isNearDuplicate(a, b))
      }),
      { seed, numRuns: 2000 },
    )
  })

  it('compares texts without words literally', () => {
    expect(isNearDuplicate('🙂', '🙂 ')).toBe(true)
    expect(isNearDuplicate('🙂', '🙁')).toBe(false)
    expect(isNearDuplicate('Thanks!', 'Hello!')).toBe(false)
  })

  it('collapses by the share of added words', () => {
    const words = 'alpha beta gamma delta'
    expect(similarity(textSignature(words), textSignature(`${words} epsilon`))).toBe(0.8)
    expect(isNearDuplicate(words, `${words} epsilon`)).toBe(false)
    expect(isNearDuplicate(words, `${words} epsilon`, { threshold: 0.8 })).toBe(true)
    for (const threshold of [0, 1.1, Number.NaN])
      expect(() => isNearDuplicate('a', 'b', { threshold })).toThrow(/^`threshold`/)
  })

  it('treats a long run of letters as one exact token', () => {
    for (const text of ['a'.repeat(1e5), '<'.repeat(1e5), '- '.repeat(5e4), '漢'.repeat(5e4), "n't ".repeat(2e4)])
      expect(isNearDuplicate(text, `${text} `)).toBe(true)
  })
})

describe('claimsOf', () => {
  it('lists the exact tokens of a text, in order', () => {
    expect(claimsOf('Not old: v1.2 of src/a.ts (3 files) won’t load, see getUser, C++ and "5%".')).toEqual([
      'not old',
      'v1.2',
      'src/a.ts',
      '3',
      'not load',
      'getUser',
      'C++',
      '5%',
    ])
    expect(claimsOf('Plain words, well said.')).toEqual([])
  })

  it('drops punctuation at the end of a word, and only there', () => {
    expect(claimsOf('(v1.2.3!), "a_b"…» ... **C#** x.y.…')).toEqual(['v1.2.3', 'a_b', 'C#', 'x.y'])
    expect(claimsOf(`${'.'.repeat(50)}x_y${'.'.repeat(50)}`)).toEqual([`${'.'.repeat(50)}x_y`])
  })
})
