import { describe, expect, test } from 'vitest'
import { cosine, normOf } from '../../../src/core/similarity/cosine.ts'
import { exactSearch } from '../../../src/core/similarity/exact-search.ts'
import { quantiseQuery } from '../../../worker/vector/exact/quantise-query.ts'
import { decodeVector, encodeVector, encodedHeadBytes, residualOf, scaleOf } from '../../../worker/vector/quantise.ts'
import { bruteForce } from '../../support/brute-force.ts'
import { nastyVectors, plainVector, seeded } from './vector-fixture.ts'

describe('cosine and exact search', () => {
  test('[V1] cosine is 0 when either vector is zero and survives extreme magnitudes', () => {
    const zero = new Float32Array(3)
    const huge = Float32Array.of(3e38, 0, 3e38)
    const tiny = Float32Array.of(1e-45, 0, 0)
    expect(cosine(zero, huge)).toBe(0)
    expect(cosine(huge, zero)).toBe(0)
    expect(cosine(huge, tiny)).toBeCloseTo(Math.SQRT1_2, 12)
    expect(normOf(Float32Array.of(3, 4))).toBe(5)
  })

  test('[F3] exact search folds chunks to the best and breaks ties by id descending, by code points', () => {
    const query = Float32Array.of(1, 0)
    const same = [Float32Array.of(1, 1)]
    const hits = exactSearch(
      query,
      [
        { id: '\uffee', vectors: same },
        { id: 'a', vectors: [Float32Array.of(0, 1), Float32Array.of(2, 0)] },
        { id: '\u{1f600}', vectors: same },
        { id: 'nothing', vectors: [] },
        { id: 'ab', vectors: same },
      ],
      4,
    )
    expect(hits.map(({ id }) => id)).toEqual(['a', '\u{1f600}', '\uffee', 'ab'])
    expect(hits[0]?.cosine).toBe(1)
  })

  test.each([1, 3, 33, 384])('[V1] of the core answers as brute force does, %i dimensions', (dimensions) => {
    const random = seeded(dimensions)
    const records = Array.from({ length: 200 }, (_, i) => ({
      id: `${['\uffee', '\uffff', '\u{1f600}'][i % 3]}${i}`,
      vectors: Array.from({ length: i % 4 }, () => plainVector(random, dimensions)),
    }))
    const copies = records.slice(0, 40).map(({ id, vectors }) => ({ id: `${id} again`, vectors }))
    const all = [...records, ...copies, { id: 'zero', vectors: [new Float32Array(dimensions)] }]
    for (const query of [plainVector(random, dimensions), ...nastyVectors(random, dimensions)])
      expect(exactSearch(query, all, 150)).toEqual(bruteForce(query, all, 150))
  })
})

describe('encodeVector', () => {
  test('[V1] the residual bounds the distance between the unit vector and its stored codes', () => {
    const random = seeded(21)
    for (const dimensions of [1, 3, 33, 384, 4096]) {
      for (const vector of [plainVector(random, dimensions), ...nastyVectors(random, dimensions)]) {
        const encoded = encodeVector(vector)
        const norm = normOf(vector)
        const decoded = decodeVector(encoded)
        let squares = 0
        vector.forEach((component, place) => {
          squares += norm === 0 ? 0 : (component / norm - decoded[place]!) ** 2
        })
        expect(Math.sqrt(squares)).toBeLessThanOrEqual(residualOf(encoded) + 1e-12)
        expect(residualOf(encoded)).toBeLessThanOrEqual(Math.sqrt(squares) * 1.000001 + 1e-12)
        expect(encoded.subarray(encodedHeadBytes)).not.toContain(128)
      }
    }
  })

  test('[D1] bytes are pinned: the layout and the rounding may not drift', () => {
    const encoded = encodeVector(Float32Array.of(1, -2, 0.5, 0))
    expect(Buffer.from(encoded).toString('hex')).toBe('f136e13b11cc7b3b3f812000')
    expect(scaleOf(encoded)).toBe(Math.fround(2 / Math.sqrt(5.25) / 127))
  })

  test('[V1] a zero vector is all zeros, other lengths of one direction give the same codes', () => {
    expect(encodeVector(new Float32Array(5)).every((byte) => byte === 0)).toBe(true)
    const vector = plainVector(seeded(22), 40)
    expect(encodeVector(vector.map((component) => component * 4))).toEqual(encodeVector(vector))
  })

  test('[V1] a component that is not finite is refused, and the error names its field', () => {
    for (const bad of [Number.NaN, Infinity, -Infinity]) {
      expect(() => encodeVector(Float32Array.of(0, bad))).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', field: 'vector[1]' }),
      )
    }
  })
})

describe('quantiseQuery', () => {
  test('[V1] no dot product with any int8 row can exceed 32 bits', () => {
    const random = seeded(23)
    for (const dimensions of [1, 33, 384, 768, 4096]) {
      for (const query of [plainVector(random, dimensions), ...nastyVectors(random, dimensions)]) {
        const codes = new Int16Array(dimensions)
        quantiseQuery(query, codes, 0)
        const total = codes.reduce((sum, code) => sum + Math.abs(code), 0)
        expect(total * 128).toBeLessThan(2 ** 31)
      }
    }
  })
})
