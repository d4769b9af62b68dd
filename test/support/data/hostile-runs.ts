/**
 * Texts that repeat one unit: inputs for which patterns with two ways to match, and nested loops, take quadratic time.
 */
import type { HostileRun } from '../growth.ts'

/** Signs, gaps, letters of every kind, and the beginnings of what extractors look for. */
export const hostileUnits: readonly string[] = [
  ['.', '-', '=', ':', '::', '/', '\\', '@', '#', '$', ' ', '\t', '\n', '\r\n', '\u2028', ' \n', '\n ', '`', '```\n'],
  ['"', "'", '(', ')', '[', ']', '[[', ']]', '{', '}', '<', '>', '<a ', '&', ',', ', ', ';', '?', '!', '*', '**', '_'],
  ['~', '|', '^', '%', '+', '“', '„', '…', '»', 'a', 'A', 'aB', 'a ', 'a.', '.a', 'a-', 'a_', 'a/', 'a::', 'a#', 'a('],
  [
    '0',
    '7 ',
    '1.',
    '1k ',
    'not ',
    "n't ",
    'the ',
    'ed ',
    'é',
    'я',
    'ß',
    'İ',
    'ﬃ',
    '漢',
    '不',
    'あ',
    'ア',
    '가',
    'ไ',
    'ไม่',
  ],
  ['e\u0301', '\u0301', '\u0300\u0301', '\ufe0f', '❤\ufe0f', '\u200b', '\u202e', '😀', '\ud83d', '\ude00', '\u{20000}'],
  ['http://', 'http://a:b@', 'www.a.b', 'a@b.', 'file://', 'a.ts:1:', 'a.ts(1,', '#L1', './', '../', 'a.b(', 'File "'],
  [
    'at a (',
    '\n\tat ',
    'Caused by: ',
    'test_',
    'a.test.ts > ',
    'A > b()',
    '● a › ',
    'npm i ',
    'npm install a ',
    'crate `',
  ],
  [
    'No module named ',
    'cannot find module "',
    'node_modules/a/',
    '@a/',
    '$ ',
    '`a',
    'password=',
    'api_key: "',
    'Bearer ',
  ],
  [
    'sk-',
    'eyJ',
    'eyJaaaaaaaaa.eyJ',
    '-----BEGIN PRIVATE KEY-----',
    'x://',
    '![',
    '[a](',
    '[[a',
    '> ',
    '- ',
    '1. ',
    '# ',
  ],
  ['title:', ', id: ', '[score=', 'Summary:', '|a|b|\n|-|-|\n', 'sss', 'ational', 'aaaaaaaab', 'word another '],
  [
    'a:',
    'a.py::',
    ' > ',
    '@a',
    '   at a (',
    '\n1:1 error ',
    'Test',
    'TestA/',
    'aTest.',
    'x(A.',
    '[a',
    ':1',
    '● ',
    'resolve "',
  ],
  [
    '" ',
    '1: a\n',
    ' -',
    ' -a',
    ' -"a"',
    'node_modules/',
    '=-',
    "'s",
    '(a',
    '\ud840',
    'a é ',
    'eyJa.',
    'a://a:',
    'secret_',
    '://:',
    'A.',
  ],
].flat()

/** Pairs of units, the same ones each time. */
const hostilePairs = Array.from({ length: 24 }, (_, i) => {
  const [first, second] = [(i * 37 + 11) % hostileUnits.length, (i * 53 + 29) % hostileUnits.length]
  return `${hostileUnits[first]}${hostileUnits[second]}`
})

/** A control character and a letter: they close nothing, and no run of signs, spaces or digits ends well with them. */
const tail = '\u0001x'

export const hostileRuns: readonly HostileRun[] = [
  ...hostileUnits.map((unit) => ({ unit, tail })),
  ...hostilePairs.map((unit, i) => ({ unit, tail: i % 2 === 0 ? '' : tail })),
  ...['.', ' ', '\n', '[[', '"', 'a', 'あ', '\u0301'].map((unit) => ({ unit, tail: '' })),
]
