/**
 * Tests the digest that decides whether vectors put again are the same: it must detect every change, and only changes.
 */
import { describe, expect, it } from 'vitest'
import { vectorsDigest } from '../../../src/core/ingest/vectors-digest.ts'
import { createRandom } from '../../support/data/random.ts'

const random = createRandom(64)
const vectors = Array.from({ length: 20 }, (_, i) => random.vector(8 + i * 20))

describe('the digest of vectors', () => {
  it('is the same for the same numbers, wherever they are in memory', () => {
    for (const vector of vectors) {
      const shifted = new Float32Array(vector.length + 3)
      shifted.set(vector, 3)
      expect(vectorsDigest([shifted.subarray(3)])).toBe(vectorsDigest([vector]))
    }
  })

  it('detects every set of flipped signs', () => {
    for (const vector of vectors) {
      const seen = new Set([vectorsDigest([vector])])
      for (let trial = 0; trial < 200; trial++) {
        const flipped = new Set(Array.from({ length: 1 + (trial % 8) }, () => random.below(vector.length)))
        seen.add(vectorsDigest([vector.map((value, i) => (flipped.has(i) ? -value : value))]))
      }
      const all = vectorsDigest([vector.map((value) => -value)])
      expect(seen.has(all)).toBe(false)
      expect(seen.size).toBeGreaterThan(Math.min(190, vector.length))
    }
  })

  it('detects every single bit, in every word', () => {
    const vector = random.vector(24)
    const words = new Uint32Array(vector.buffer)
    const seen = new Set([vectorsDigest([vector])])
    for (let i = 0; i < words.length; i++) {
      for (let bit = 0; bit < 32; bit++) {
        words[i] = (words[i]! ^ (1 << bit)) >>> 0
        seen.add(vectorsDigest([vector]))
        words[i] = (words[i]! ^ (1 << bit)) >>> 0
      }
    }
    expect(seen.size).toBe(1 + 24 * 32)
  })

  it('detects two swapped numbers, and where one vector ends', () => {
    const vector = random.vector(24)
    const swapped = vector.slice()
    swapped[3] = vector[17]!
    swapped[17] = vector[3]!
    const seen = [
      [vector],
      [swapped],
      [vector.slice(0, 12), vector.slice(12)],
      [vector.slice(0, 8), vector.slice(8)],
      [vector, vector],
      [],
    ].map(vectorsDigest)
    expect(new Set(seen).size).toBe(seen.length)
  })
})
