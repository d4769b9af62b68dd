/** Checks how the exact index keeps rows: erased, compacted, packed, and refused when damaged. */
import { describe, expect, test } from 'vitest'
import { loadKernel } from '../../../worker/kernel/load-kernel.ts'
import { createExactIndex } from '../../../worker/vector/exact/exact.ts'
import { encodedBytes, encodeVector } from '../../../worker/vector/quantise.ts'
import { emptyIndex, fill, plainRecords, plainVector, type Records, seeded } from './vector-fixture.ts'

describe('rows', () => {
  test('[W3] nothing of a removed vector stays in kernel memory', () => {
    const random = seeded(61)
    const kernel = loadKernel()
    const index = createExactIndex(kernel, 64)
    const records = plainRecords(random, 50, 64)
    fill(index, records)
    const secret = encodeVector(plainVector(random, 64))
    index.add(51, [secret])
    expect(holds(kernel.bytes(), secret.subarray(8))).toBe(true)
    index.remove(51)
    expect(holds(kernel.bytes(), secret.subarray(8))).toBe(false)
  })

  test('[V3] growth over many blocks and compaction lose nothing and make memory reusable', () => {
    const random = seeded(62)
    const records = plainRecords(random, 11_000, 32)
    const kernel = loadKernel()
    const index = createExactIndex(kernel, 32)
    fill(index, records)
    const bytes = index.bytes()
    for (const key of [...records.keys()].filter((key) => key % 3 !== 0)) {
      index.remove(key)
      records.delete(key)
    }
    const fresh = emptyIndex(32)
    fill(fresh, records)
    const query = plainVector(random, 32)
    const scopeKeys = Uint32Array.from([...records.keys()].filter((key) => key % 6 === 0))
    for (const scope of [null, scopeKeys, scopeKeys.subarray(0, 9)]) {
      expect(index.scan(query, scope, 1_000)).toEqual(fresh.scan(query, scope, 1_000))
    }
    expect(index.rows()).toBe(fresh.rows())
    for (let key = 20_001; key < 24_000; key++) index.add(key, [encodeVector(plainVector(random, 32))])
    expect(index.bytes()).toBeLessThanOrEqual(bytes + 300_000)
  })

  test('[V3] packed rows equal rows added one by one, and replace the rows they name', () => {
    const random = seeded(63)
    const records = plainRecords(random, 700, 100)
    const single = emptyIndex(100)
    fill(single, records)
    const packed = emptyIndex(100)
    packed.add(5, [encodeVector(plainVector(random, 100))])
    const { keys, bytes } = pack(records, 100)
    packed.addPacked(keys, bytes)
    const query = plainVector(random, 100)
    expect(packed.scan(query, null, 200)).toEqual(single.scan(query, null, 200))
    expect(packed.rows()).toBe(single.rows())
  })

  test('[V4] damaged or misfit bytes and wrong keys are refused before anything changes', () => {
    const index = emptyIndex(6)
    const encoded = encodeVector(Float32Array.of(1, 2, 3, 4, 5, 6))
    const withFloat = (offset: number, value: number) => {
      const copy = encoded.slice()
      new DataView(copy.buffer).setFloat32(offset, value, true)
      return copy
    }
    for (const bad of [
      withFloat(0, Number.NaN),
      withFloat(0, -1),
      withFloat(0, 5),
      withFloat(4, Infinity),
      // No vector of length 1 is so far from its code.
      withFloat(4, 1.01),
      withFloat(4, -0.1),
    ]) {
      expect(() => index.add(1, [encoded, bad])).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }))
    }
    expect(() => index.addPacked(Uint32Array.of(1), encoded.subarray(1))).toThrow(
      expect.objectContaining({ code: 'DIMENSION_MISMATCH' }),
    )
    for (const keys of [Uint32Array.of(2, 1), Uint32Array.of(1, 0xffffffff)]) {
      expect(() => index.addPacked(keys, new Uint8Array(2 * encodedBytes(6)))).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
      )
    }
    for (const dimensions of [0, 4_097, 1.5]) {
      expect(() => createExactIndex(loadKernel(), dimensions)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
      )
    }
    expect(index.rows()).toBe(0)
  })
})

function pack(records: Records, dimensions: number): { keys: Uint32Array; bytes: Uint8Array } {
  const rows = [...records].flatMap(([key, vectors]) =>
    vectors.map((vector) => ({ key, encoded: encodeVector(vector) })),
  )
  const bytes = new Uint8Array(rows.length * encodedBytes(dimensions))
  rows.forEach(({ encoded }, place) => bytes.set(encoded, place * encodedBytes(dimensions)))
  return { keys: Uint32Array.from(rows, ({ key }) => key), bytes }
}

function holds(memory: Uint8Array, part: Uint8Array): boolean {
  return Buffer.from(memory.buffer).includes(Buffer.from(part))
}
