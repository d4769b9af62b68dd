/**
 * Tests parse-record with any JSON: the result is a record or a RecallError, the input does not change, and a record
 * parses to itself.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRecord } from '../../src/core/ingest/parse-record.ts'
import { RecallError } from '../../src/core/model/errors.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import { contentHash } from '../../src/core/text/hash/content-hash.ts'

const seed = 20260301
const word = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom('jay', '\ufeffx', '\0', 'a b'),
)
const text = fc.oneof(word, fc.constantFrom('', ' ', 'jay src/a.ts raised EggError', '\ud800', 'half \udc00'))
const time = fc.oneof(fc.integer({ min: -1e12, max: 4e12 }), fc.constantFrom(0, -0, 8.64e15, 0.5))
const json = fc.jsonValue({ maxDepth: 3 })
const few = <T>(value: fc.Arbitrary<T>) =>
  fc.uniqueArray(value, { maxLength: 3, selector: (entry) => JSON.stringify(entry) })
const vector = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 3, maxLength: 3 })

const good = fc.record(
  {
    id: word,
    kind: fc.constantFrom('note', 'decision'),
    project: fc.option(text),
    session: text,
    title: fc.option(text),
    summary: text,
    body: word.map((body) => `x${body}`),
    instruction: fc.option(text),
    command: text,
    exitCode: fc.maxSafeInteger(),
    tags: few(word),
    files: few(
      fc.record({ path: word, mtime: fc.option(time), existed: fc.boolean(), git: fc.constantFrom('M', null) }),
    ),
    terms: few(fc.record({ term: word, kind: word })),
    anchors: few(fc.record({ id: word, path: word, kind: word })),
    relations: few(fc.record({ kind: word, target: word })),
    reasons: few(fc.constantFrom({ code: 'mandatory' }, { code: 'user_pinned', weight: 0.5 })),
    risks: few(fc.constant({ flag: 'governance_applies' })),
    status: fc.constantFrom('active', 'deprecated'),
    importance: fc.double({ min: 0, max: 1e6, noNaN: true }),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    cycles: few(fc.constant({ periodSeconds: 60, amplitude: 1, phaseSeconds: -0 })),
    writeScore: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    position: fc.maxSafeInteger(),
    metadata: fc.dictionary(fc.constantFrom('a', 'b', '\ud800', ''), json, { maxKeys: 3 }),
    createdAt: time,
    validUntil: fc.option(time),
    vectors: fc.array(
      vector.map((list) => Float32Array.from(list)),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['body'] },
)

/** Valid records, some with one random field, or with one field too many. */
const almost: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .tuple(
    good,
    fc.constantFrom(
      '',
      'id',
      'body',
      'tags',
      'files',
      'terms',
      'reasons',
      'cycles',
      'metadata',
      'vectors',
      'importance',
      'nose',
    ),
    json,
  )
  .map(([record, field, value]) => (field === '' ? record : { ...record, [field]: value }))

function parsed(input: unknown) {
  try {
    return parseRecord(input)
  } catch (error) {
    expect(error).toBeInstanceOf(RecallError)
    return null
  }
}

describe('parseRecord', () => {
  it('[E1] throws nothing but RecallError, and does not change its input', () => {
    const tally = { good: 0, bad: 0 }
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: almost }, json), (input) => {
        const before = structuredClone(input)
        if (parsed(input) === null) tally.bad++
        else tally.good++
        expect(input).toEqual(before)
      }),
      { seed, numRuns: 4000 },
    )
    // Both outcomes are frequent.
    expect(Math.min(tally.good, tally.bad)).toBeGreaterThan(150)
  })

  it('[W1] parsing a parsed record again gives the same', () => {
    fc.assert(
      fc.property(good, (input) => {
        const once = parsed(input)
        if (once === null) return
        const again = parseRecord(asInput(once))
        expect({ ...again, chunks: null }).toEqual({ ...once, chunks: null })
      }),
      { seed, numRuns: 2000 },
    )
  })

  it('[D3] hashes content as stored, and fields in any order alike', () => {
    fc.assert(
      fc.property(almost, (input) => {
        const record = parsed(input)
        if (record === null) return
        expect(record.contentHash).toBe(contentHash(record))
        const turned = Object.fromEntries(Object.entries(input).reverse())
        expect(parseRecord(turned)).toEqual(record)
      }),
      { seed, numRuns: 1000 },
    )
  })

  it('[W1] control: one changed field is another fieldsHash, one changed letter another contentHash', () => {
    const hashes = [
      {},
      { tags: ['a'] },
      { metadata: { a: 1 } },
      { project: '' },
      { title: '' },
      { confidence: 0.5 },
    ].map((more) => parseRecord({ id: 'a', body: 'x', ...more }).fieldsHash)
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(parseRecord({ body: 'x' }).contentHash).not.toBe(parseRecord({ body: 'X' }).contentHash)
  })
})

/** A parsed record as a caller would give it, without derived fields. */
function asInput(record: ReturnType<typeof parseRecord>): RecordInput {
  const {
    fieldsHash: _f,
    textHash: _t,
    chunks: _p,
    pathsText: _pt,
    termsText: _tt,
    indexed: _i,
    createdAt,
    updatedAt,
    ...fields
  } = record
  return {
    ...fields,
    createdAt: createdAt ?? undefined,
    updatedAt: updatedAt ?? undefined,
    files: record.files.filter((file) => file.declared).map(({ declared: _declared, ...file }) => file),
    terms: record.terms.filter((entry) => entry.declared).map(({ term, kind }) => ({ term, kind })),
  }
}
