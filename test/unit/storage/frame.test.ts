/** Tests frames: a written frame reads back, and any other bytes are refused. */
import { describe, expect, test } from 'vitest'
import { decodeFrame, encodeFrame } from '../../../worker/storage/indexeddb/frame.ts'

const key = 'batch/7'
const header = { previous: 'é', count: 3 }
const payload = Uint8Array.from({ length: 301 }, (_, i) => i * 7)
const { bytes, checksum } = encodeFrame(key, header, [payload.subarray(0, 100), payload.subarray(100)])

describe('a frame', () => {
  test('reads back with header, payload and checksum', () => {
    expect(decodeFrame(key, bytes)).toEqual({ header, payload, checksum })
    // At any alignment.
    const shifted = new Uint8Array(bytes.length + 1)
    shifted.set(bytes, 1)
    expect(decodeFrame(key, shifted.subarray(1))).toEqual({ header, payload, checksum })
    expect(decodeFrame('empty', encodeFrame('empty', {}).bytes)).toMatchObject({
      header: {},
      payload: new Uint8Array(),
    })
  })

  test('[P1] with any one bit flipped is damaged', () => {
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const flipped = bytes.slice()
      flipped[bit >>> 3] = flipped[bit >>> 3]! ^ (1 << (bit & 7))
      expect(decodeFrame(key, flipped), `bit ${bit}`).toBeNull()
    }
  })

  test('[P1] cut, lengthened, under another key, or of other content is damaged', () => {
    for (let length = 0; length < bytes.length; length++) expect(decodeFrame(key, bytes.slice(0, length))).toBeNull()
    const longer = new Uint8Array(bytes.length + 8)
    longer.set(bytes)
    for (const other of [longer, new Uint8Array(bytes.length), undefined, null, 'text', {}]) {
      expect(decodeFrame(key, other)).toBeNull()
    }
    expect(decodeFrame('batch/8', bytes)).toBeNull()
  })

  test('two payloads do not share a checksum: 20,000 pages that differ in a few bytes', () => {
    const seen = new Set<string>()
    for (let i = 0; i < 20_000; i++) {
      const page = new Uint8Array(64)
      new DataView(page.buffer).setUint32(4 * (i % 16), i + 1)
      seen.add(encodeFrame(key, {}, [page]).checksum)
    }
    expect(seen.size).toBe(20_000)
  })
})
