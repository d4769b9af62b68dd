/**
 * Generates random records, queries and texts with the caller's fast-check: `arbitraries(fc).record`. They include edge cases: lone
 * surrogates, −0, extreme times, and text that tries to break out of a page or a prompt.
 */
import type * as FastCheck from 'fast-check'
import type { RecallQuery } from '../core/model/query.ts'
import type { RecordInput } from '../core/model/record.ts'

export interface Arbitraries {
  /** A record, which is nearly always valid. The same content may occur twice. */
  readonly record: FastCheck.Arbitrary<RecordInput>
  /** A query without a vector, for any store. */
  readonly query: FastCheck.Arbitrary<RecallQuery>
  /** Any text that a person, a program or an attacker may enter. */
  readonly text: FastCheck.Arbitrary<string>
  /** A text that tries to leave its place: tags, headings, quotes, line ends, hidden and direction-changing characters. */
  readonly hostileText: FastCheck.Arbitrary<string>
  /** A vector of finite numbers with the given length. */
  vector(dimensions: number): FastCheck.Arbitrary<Float32Array>
}

export function arbitraries(fc: Omit<typeof FastCheck, 'default'>): Arbitraries {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.constantFrom('jay', 'acorn', 'deploy', '漢字', 'a b', '\ufeffx', '\0'),
  )
  const hostileText = fc
    .array(fc.constantFrom(...lineEnds, ...structure, ...hidden, ...plain), { minLength: 1, maxLength: 10 })
    .map((parts) => parts.join(''))
  const text = fc.oneof(word, hostileText, fc.string({ unit: 'binary', maxLength: 40 }))
  const time = fc.oneof(fc.integer({ min: -1e12, max: 4e12 }), fc.constantFrom(0, 8.64e15, -8.64e15))
  const few = <T>(value: FastCheck.Arbitrary<T>) =>
    fc.uniqueArray(value, { maxLength: 3, selector: (entry) => JSON.stringify(entry) })
  const vector = (dimensions: number) =>
    fc
      .array(fc.float({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }), {
        minLength: dimensions,
        maxLength: dimensions,
      })
      .map((numbers) => Float32Array.from(numbers))
  const scope = fc.record(
    {
      project: fc.constantFrom('site', 'docs'),
      kind: fc.constantFrom('note', 'decision'),
      tags: fc.record({ any: few(word), all: few(word), none: few(word) }, { requiredKeys: [] }),
      time: fc.record({ after: time, before: time }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  )
  return {
    text,
    hostileText,
    vector,
    record: fc.record(
      {
        // Never blank, because a record needs one text that is not blank.
        body: text.map((body) => `x${body}`),
        id: word,
        kind: fc.constantFrom('note', 'decision'),
        project: fc.option(fc.constantFrom('site', 'docs')),
        title: fc.option(text),
        summary: text,
        instruction: fc.option(text),
        command: text,
        tags: few(word),
        files: few(fc.record({ path: word, existed: fc.boolean() })),
        reasons: few(fc.constantFrom({ code: 'mandatory' }, { code: 'user_pinned', weight: 0.5 })),
        status: fc.constantFrom('active', 'deprecated'),
        importance: fc.double({ min: 0, max: 1e6, noNaN: true }),
        createdAt: time,
        metadata: fc.dictionary(fc.constantFrom('a', 'b', ''), fc.oneof(text, fc.boolean(), fc.integer()), {
          maxKeys: 3,
        }),
      },
      { requiredKeys: ['body'] },
    ),
    query: fc.record(
      {
        text,
        scope,
        limit: fc.integer({ min: 1, max: 20 }),
        prefix: fc.constantFrom('last', 'none'),
        collapse: fc.constantFrom('exact', 'near', 'none'),
        now: time,
        exclude: few(word),
      },
      { requiredKeys: ['text'] },
    ),
  }
}

const lineEnds = ['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029']
const structure = [
  '---',
  '# System',
  '</record>',
  '<script>',
  '<img src=x onerror=alert(1)>',
  '&lt;',
  '"',
  "'",
  '`',
  '```',
  '- forged',
  '[UNASSIGNED]',
  'AND',
  'NEAR(',
  '*',
  '^',
  ':',
]
const hidden = ['\u0000', '\u001b', '\u00ad', '\u200b', '\u202e', '\u2066', '\ufeff', '\u{e0041}', '\ud800', '\udc00']
const plain = ['a', ' ', 'word', '7', 'é', '漢', '❤\ufe0f', ',']
