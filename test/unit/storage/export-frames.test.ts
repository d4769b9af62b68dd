/** [X1] Tests how frames of an export are read from parts of any size, and what a frame may claim. */
import { expect, test } from 'vitest'
import { createFrameReader } from '../../../src/protocol/export-format/frames.ts'

const mebibyte = 1024 * 1024
function headOf(kind: number, length: number): Uint8Array {
  const head = new Uint8Array(5)
  head[0] = kind
  new DataView(head.buffer).setUint32(1, length, true)
  return head
}

function read(parts: readonly Uint8Array[]) {
  const frames: [number, string][] = []
  const reader = createFrameReader((kind, payload) => frames.push([kind, new TextDecoder().decode(payload)]))
  for (const part of parts) reader.push(part)
  return { frames, end: () => reader.end() }
}

test('[X1] frames are the same in parts of one byte and in one part, and an empty one is a frame', () => {
  const bytes = Uint8Array.from([
    ...headOf(2, 5),
    ...new TextEncoder().encode('acorn'),
    ...headOf(3, 0),
    ...headOf(4, 1),
    0x61,
  ])
  const whole = read([bytes])
  expect(whole.frames).toEqual([
    [2, 'acorn'],
    [3, ''],
    [4, 'a'],
  ])
  expect(read(Array.from(bytes, (byte) => Uint8Array.of(byte))).frames).toEqual(whole.frames)
  expect(whole.end).not.toThrow()
})

test('[X1] a frame that is cut off is refused at the end, in its head and in its content', () => {
  for (const length of [1, 4, 5, 7]) {
    const bytes = Uint8Array.from([...headOf(2, 3), 1, 2, 3]).subarray(0, length)
    expect(read([bytes]).end, `${length}`).toThrow(expect.objectContaining({ name: 'RecallError' }))
  }
})

test('[X1] a frame may claim 64 MiB, and no byte more', () => {
  expect(() => read([headOf(2, 64 * mebibyte)])).not.toThrow()
  expect(() => read([headOf(2, 64 * mebibyte + 1)])).toThrow('64 MiB')
})
