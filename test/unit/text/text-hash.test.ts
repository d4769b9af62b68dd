import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRecord } from '../../../src/core/ingest/parse-record.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { contentHash } from '../../../src/core/text/hash/content-hash.ts'
import { sha256Hex, sha256HexOfBytes } from '../../../src/core/text/hash/sha256.ts'

const reference = (input: string | Uint8Array) => createHash('sha256').update(input).digest('hex')

describe('sha256', () => {
  it('gives the published test vectors', () => {
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(sha256Hex('a'.repeat(1e6))).toBe('cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0')
  })

  it('equals the platform at every length around its buffers, for bytes of one to four', () => {
    for (const unit of ['a', 'é', '€', '😀', 'a€😀é']) {
      for (const length of [...Array(140).keys(), 1020, 1023, 1024, 1365, 2047, 2048, 4092, 4093, 4096, 4097, 9000]) {
        const text = unit.repeat(length)
        expect(sha256Hex(text), `${unit} × ${length}`).toBe(reference(text))
        expect(sha256HexOfBytes(new TextEncoder().encode(text))).toBe(reference(text))
      }
    }
  })

  it('treats lone surrogates as U+FFFD, as every UTF-8 encoder does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('\ud83d', '\ude00', 'a', 'é', '€', '\uffff'), { maxLength: 40 }),
        (parts) => {
          expect(sha256Hex(parts.join(''))).toBe(reference(new TextEncoder().encode(parts.join(''))))
        },
      ),
      { seed: 1, numRuns: 500 },
    )
  })
})

describe('canonicalJson', () => {
  it('[D1] gives equal values the same text, whatever the order of their members', () => {
    expect(canonicalJson({ b: 1, a: [true, null, 'x"'], c: undefined })).toBe('{"a":[true,null,"x\\""],"b":1}')
    expect(canonicalJson({ '\ufb01': 1, '😀': 2, a: 3 })).toBe('{"a":3,"\ufb01":1,"😀":2}')
    expect(canonicalJson([-0, 1e21, 0.1, undefined])).toBe('[0,1e+21,0.1,null]')
    expect(canonicalJson({ v: Float32Array.of(0.5, -0, 3) })).toBe('{"v":[0.5,0,3]}')
    expect(canonicalJson(Object.create(null))).toBe('{}')
  })

  it('[D1] parses to the same value as JSON itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed = JSON.parse(canonicalJson(value)) as unknown
        expect(parsed).toEqual(JSON.parse(JSON.stringify(value).replace(/-0(?=[,\]}]|$)/g, '0')))
        expect(canonicalJson(parsed)).toBe(canonicalJson(value))
      }),
      { seed: 2, numRuns: 500 },
    )
  })

  it('refuses values that JSON would lose', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    for (const value of [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      () => 1,
      Symbol('s'),
      1n,
      cycle,
      new Map(),
      new Date(0),
    ]) {
      expect(() => canonicalJson({ value })).toThrow(TypeError)
    }
    expect(() => canonicalJson(undefined)).toThrow(TypeError)
    expect(() => canonicalJson(Float64Array.of(Number.NaN))).toThrow(TypeError)
    const shared = { a: 1 }
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]')
  })
})

describe('contentHash', () => {
  it('covers exactly the five text fields', () => {
    expect(contentHash({ body: 'b' })).toBe(reference('[null,null,"b",null,null]'))
    expect(contentHash({ title: 'é', summary: '', body: null, instruction: undefined, command: 'ls' })).toBe(
      reference('["é","",null,null,"ls"]'),
    )
    expect(contentHash({ title: 'a' })).not.toBe(contentHash({ summary: 'a' }))
  })
})

describe('compareCodePoints', () => {
  it('[F3] orders as the UTF-8 bytes do', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\ufb01', '\uffff', '😀', '😁', '\u{10ffff}'),
    })
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))))
      }),
      { seed: 3, numRuns: 2000 },
    )
    expect(compareCodePoints('\ufb01', '😀')).toBeLessThan(0)
  })

  it('[F3] is total with lone surrogates, too', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00', '\ue000') })
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(-Math.sign(compareCodePoints(b, a)) + 0)
        expect(compareCodePoints(a, b) === 0).toBe(a === b)
      }),
      { seed: 4, numRuns: 500 },
    )
  })
})

describe('the stored hashes of a record', () => {
  it('equal those in stores of earlier versions', () => {
    const record = {
      id: 'a',
      body: 'the jay hid an acorn',
      tags: ['bird'],
      session: 's',
      position: 2,
      metadata: { b: 1, a: 2 },
    }
    const { fieldsHash, textHash } = parseRecord(record)
    expect([fieldsHash, textHash]).toEqual(['f54b27783639bbddf8f2ef12dabe72a8', '019d96f4f615817e32c257feaed8d250'])
    expect(parseRecord({ ...record, position: 3 }).fieldsHash).not.toBe(fieldsHash)
  })
})
