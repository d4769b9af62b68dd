/** Checks which signs are read in the text of a query, and what is left of it. */
import { describe, expect, test } from 'vitest'
import { policies } from '../../../src/core/policies/policies.ts'
import { planQuery } from '../../../src/core/query/plan-query.ts'
import { readSigns, withoutHeldBack } from '../../../src/core/query/read-signs.ts'

/** The text, and its signs: `-` before what is held back, quotes around phrases. */
const cases: readonly (readonly [text: string, signs: readonly string[]])[] = [
  ['migration -friday', ['-friday']],
  ['-friday migration', ['-friday']],
  ['migration\t-friday\n-monday', ['-friday', '-monday']],
  ['migration\u00a0-friday\u3000-monday', ['-friday', '-monday']],
  ['"two words"', ['"two words"']],
  ['jay -"two words" nest', ['-two words']],
  ['-"two words"', ['-two words']],
  ['jay "a b" -"c d" -wren "f"', ['"a b"', '-c d', '-wren', '"f"']],
  ['“curly” -„deutsch“ -«français»', ['"curly"', '-deutsch', '-français']],
  ['-"  spaces  "', ['-spaces']],
  ['-node.js -e-mail -src/core/x.ts', ['-node.js', '-e-mail', '-src/core/x.ts']],
  ['-été -птица -図書館 -ไทย', ['-été', '-птица', '-図書館', '-ไทย']],
  ['-"1st of May"', ['-1st of May']],
  // A minus in a word, after another sign, or before anything but a letter has no meaning.
  ['e-mail well-known', []],
  ['minus - sign', []],
  ['- sign', []],
  ['5 -3 and -2026-11-03', []],
  ['run --force --dry-run', []],
  ['a+-b (-c) [-d', []],
  ['+-b', []],
  ['−minus –dash —dash', []],
  ['-_private -$x -.hidden -/root', []],
  ['-'.repeat(50), []],
  // Quotes go in pairs; one without a partner separates words.
  ['feather "winter', []],
  ['feather -"winter', []],
  ['"a -b c"', ['"a -b c"']],
  ['"a"-b', ['"a"']],
  ['a-"b c"', ['"b c"']],
  ['-wren"b c"', ['-wren', '"b c"']],
  ['"a" "b', ['"a"']],
  ['"a" -wren "c', ['"a"', '-wren']],
  ['"" -"" "…" -"…" -"', []],
  ['', []],
  [' \n', []],
]

const spelled = (text: string) =>
  readSigns(text).map((sign) => (sign.kind === 'without' ? `-${sign.text}` : `"${sign.text}"`))

describe('the signs of a text', () => {
  test.each(cases)('%j', (text, signs) => {
    expect(spelled(text)).toEqual(signs)
    for (const { at, text: inner, kind } of readSigns(text)) {
      expect(text.slice(...at)).toContain(inner)
      expect(text.slice(...at).startsWith('-')).toBe(kind === 'without')
    }
  })

  test('are apart and in order', () => {
    const ends = readSigns('-wren "b" -"c d" -e.f "g"').flatMap(({ at }) => at)
    expect(ends).toEqual([...ends].sort((a, b) => a - b))
  })

  test.each([
    ['migration -friday today', 'migration         today'],
    ['-"two words" jay "a b"', '             jay "a b"'],
    ['e-mail "a -b"', 'e-mail "a -b"'],
  ])('that hold words back are left out of what is sought: %j', (text, left) => {
    expect(withoutHeldBack(text).replaceAll('\n', ' ')).toBe(left)
    expect(withoutHeldBack(text)).toHaveLength(text.length)
  })

  test('[G4] of hostile texts: 100,000 of each', () => {
    const count = 100_000
    expect(readSigns('-'.repeat(count))).toEqual([])
    expect(readSigns('"'.repeat(count))).toEqual([])
    expect(readSigns('-"'.repeat(count))).toEqual([])
    expect(readSigns(' -'.repeat(count))).toEqual([])
    expect(readSigns(' -wren'.repeat(count))).toHaveLength(count)
    expect(readSigns(' -a'.repeat(count))).toEqual([])
    expect(readSigns(' -"a"'.repeat(count))).toHaveLength(count)
    expect(readSigns(`-wren${'-'.repeat(count)}`)).toHaveLength(1)
  })
})

describe('the plan of a text with signs', () => {
  const settings = { policy: policies.balanced, stemmer: 'porter', now: 0 } as const

  test('has one entry for each word held back, and says what it cut', () => {
    const words = Array.from({ length: 300 }, (_, i) => `-w${i}x`)
    const plan = planQuery({ text: `${words.join(' ')} -w0x`, without: ['w1x', 'W2X'] }, settings)
    expect(plan.without).toHaveLength(256)
    expect(plan.notes).toContain('only the first 256 of 300 words with a minus used')
    expect(plan.terms).toEqual([])
  })

  test('writes them as text and option do, in one way', () => {
    const reasons = (query: Parameters<typeof planQuery>[0]) =>
      planQuery(query, settings).without?.map(({ reason, phrases }) => [reason, ...phrases])
    const expected = [
      ['contains -friday', '"friday"'],
      ['contains -"two words"', '"two words"'],
      ['contains -e-mail', '"e mail"', '"email"'],
    ]
    expect(reasons({ text: '-friday -"two words" -e-mail' })).toEqual(expected)
    expect(reasons({ without: ['friday', 'two words', 'e-mail'] })).toEqual(expected)
    expect(reasons({ text: 'jay "two words"' })).toBeUndefined()
  })

  test('is that of the text without them', () => {
    const plain = planQuery({ text: 'jay nest' }, settings)
    const { without, read, query: _query, text: _text, ...rest } = planQuery({ text: 'jay -wren nest' }, settings)
    expect(without).toHaveLength(1)
    expect(read).toEqual([{ kind: 'without', text: 'wren' }])
    // Line breaks between the words: they are not one after the other.
    const { query: _other, text: _sought, ...expected } = plain
    expect({ ...rest, joins: [], runs: null }).toEqual({ ...expected, joins: [], runs: null })
  })

  test('of runs has no signs', () => {
    const plan = planQuery({ text: 'git commit -m "a b"' }, { ...settings, policy: policies.ctxsift })
    expect(plan.read).toBeUndefined()
    expect(plan.without).toBeUndefined()
  })
})
