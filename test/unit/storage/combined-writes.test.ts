/** Combined writes: the file gets SQLite's bytes in SQLite's order, and each failure is reported to the call that needs to know. */
import { beforeEach, expect, test } from 'vitest'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { combinedBytes, createCombinedWrites } from '../../../worker/sqlite/pages/combined-writes.ts'

const sqlite3 = await initSqlite()
const { wasm } = sqlite3
const source = wasm.alloc(combinedBytes * 2) as number
const heap = (at: number, length: number) => wasm.heap8u().subarray(at, at + length)

/** SQLITE_IOERR_WRITE. */
const writeFailed = 778
const shortRead = sqlite3.capi.SQLITE_IOERR_SHORT_READ

let file: Uint8Array
let calls: (readonly [offset: number, length: number])[]
let isFull: boolean
let fileEnd: number
let writes: ReturnType<typeof createCombinedWrites>

beforeEach(() => {
  file = new Uint8Array(1 << 20)
  calls = []
  isFull = false
  fileEnd = 0
  writes = createCombinedWrites(sqlite3, {
    read(target, length, offset) {
      heap(target, length).set(file.subarray(Number(offset), Number(offset) + length))
      return Number(offset) + length > fileEnd ? shortRead : 0
    },
    write(from, length, offset) {
      if (isFull) return writeFailed
      calls.push([Number(offset), length])
      file.set(heap(from, length), Number(offset))
      fileEnd = Math.max(fileEnd, Number(offset) + length)
      return 0
    },
  })
  // The first two writes after a sync are direct.
  for (let i = 0; i < 2; i++) write(0, 1, 0)
  calls = []
})

function write(byte: number, length: number, offset: number): number {
  heap(source, length).fill(byte)
  const code = writes.write(source, length, offset)
  // SQLite reuses its memory after the call.
  heap(source, length).fill(255)
  return code
}

test('[Q5] journal frames, each a header and a page, are written in few calls', () => {
  for (let frame = 0; frame < 100; frame++) {
    expect(write(frame, 24, 32 + frame * 8216)).toBe(0)
    expect(write(frame, 8192, 56 + frame * 8216)).toBe(0)
  }
  expect(writes.flush()).toBe(0)
  expect(calls.length).toBe(Math.ceil((100 * 8216) / combinedBytes))
  for (let frame = 0; frame < 100; frame++)
    expect(new Set(file.subarray(32 + frame * 8216, 32 + (frame + 1) * 8216))).toEqual(new Set([frame]))
})

test('writes keep their order: the later of two overlapping writes wins', () => {
  for (const [byte, offset] of [
    [1, 0],
    [2, 100],
    [3, 5000],
    [4, 100],
    [5, 50],
  ] as const)
    write(byte, 100, offset)
  expect(writes.flush()).toBe(0)
  expect([file[0], file[49], file[50], file[149], file[150], file[199], file[5000]]).toEqual([1, 1, 5, 5, 4, 4, 3])
  expect(calls).toEqual([
    [0, 200],
    [5000, 100],
    [100, 100],
    [50, 100],
  ])
})

test('random combined writes give the same file as direct writes', () => {
  const plain = new Uint8Array(file.length)
  let seed = 7
  const random = (below: number) => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) % below
  let end = 0
  for (let i = 0; i < 2000; i++) {
    const length = 1 + random(random(10) === 0 ? 300_000 : 9000)
    const offset = random(3) === 0 || end + length > file.length ? random(file.length - length) : end
    end = offset + length
    plain.fill(i & 127, offset, end)
    expect(write(i & 127, length, offset)).toBe(0)
    if (random(20) === 0) expect(writes.flush()).toBe(0)
  }
  expect(writes.flush()).toBe(0)
  expect(Buffer.compare(file, plain)).toBe(0)
})

test('a read includes buffered bytes', () => {
  write(6, 100, 950)
  write(7, 100, 1100)
  const read = (length: number, offset: number) => [writes.read(source, length, offset), ...heap(source, length)]
  expect(read(50, 1150)).toEqual([0, ...Array.from({ length: 50 }, () => 7)])
  expect(read(150, 1000)).toEqual([
    0,
    ...Array.from({ length: 50 }, () => 6),
    ...Array.from({ length: 50 }, () => 0),
    ...Array.from({ length: 50 }, () => 7),
  ])
  expect(read(100, 1150)).toEqual([
    shortRead,
    ...Array.from({ length: 50 }, () => 7),
    ...Array.from({ length: 50 }, () => 0),
  ])
  expect(read(50, 1000)).toEqual([0, ...Array.from({ length: 50 }, () => 6)])
  expect(read(50, 1200)).toEqual([shortRead, ...Array.from({ length: 50 }, () => 0)])
  expect([writes.end(), fileEnd]).toEqual([1200, 1050])
})

test('[P2] a frame that was read and then lost by a failed write does not come back with the next header', () => {
  const frameBytes = 24 + 8192
  write(1, frameBytes, 32)
  expect(writes.flush()).toBe(0)
  write(2, frameBytes, 32)
  expect(writes.read(source, frameBytes, 32)).toBe(0)
  expect(heap(source, frameBytes)[100]).toBe(2)
  isFull = true
  expect(writes.flush()).toBe(writeFailed)
  isFull = false
  write(3, 24, 32)
  expect(writes.flush()).toBe(0)
  expect([file[32], file[32 + 100]]).toEqual([3, 1])
})

test('[P2] writes after a sync belong to the commit and are direct, so a later failure cannot drop them', () => {
  write(1, 100, 0)
  expect(writes.sync()).toBe(0)
  write(2, 24, 100)
  write(2, 76, 124)
  write(3, 100, 200)
  isFull = true
  expect(writes.sync()).toBe(writeFailed)
  expect([file[100], file[199], file[200], writes.end()]).toEqual([2, 2, 0, 0])
})

/** Like `walRewriteChecksums` in SQLite: reads each complete frame, then writes its header. */
function rewriteHeaders(frames: number, between: (frame: number) => void = () => {}): void {
  for (let frame = 0; frame < frames; frame++) {
    expect(writes.read(source, 8216, 32 + frame * 8216)).toBe(0)
    between(frame)
    expect(write(200, 24, 32 + frame * 8216)).toBe(0)
  }
}

test('[Q5] rewritten frame headers are written in few calls, and their pages stay', () => {
  for (let frame = 0; frame < 100; frame++) write(frame, 8216, 32 + frame * 8216)
  writes.flush()
  calls = []
  rewriteHeaders(100)
  writes.flush()
  expect(calls.length).toBe(Math.ceil((100 * 8216) / combinedBytes))
  for (let frame = 0; frame < 100; frame++) {
    expect(new Set(file.subarray(32 + frame * 8216, 56 + frame * 8216))).toEqual(new Set([200]))
    expect(new Set(file.subarray(56 + frame * 8216, 32 + (frame + 1) * 8216))).toEqual(new Set([frame]))
  }
})

test('rewriting a header does not restore a page that was written after its frame was read', () => {
  for (let frame = 0; frame < 3; frame++) write(frame, 8216, 32 + frame * 8216)
  rewriteHeaders(3, (frame) => void write(100 + frame, 8192, 56 + frame * 8216))
  writes.flush()
  for (let frame = 0; frame < 3; frame++)
    expect(new Set(file.subarray(56 + frame * 8216, 32 + (frame + 1) * 8216))).toEqual(new Set([100 + frame]))
})

test('[P3] a failure is reported once, and the failed bytes are not written later', () => {
  expect(write(1, 100, 0)).toBe(0)
  isFull = true
  expect(writes.flush()).toBe(writeFailed)
  isFull = false
  expect(writes.flush()).toBe(0)
  expect(write(2, 100, 0)).toBe(0)
  isFull = true
  expect(write(3, 100, 4000), 'the write before it failed').toBe(writeFailed)
  isFull = false
  expect(writes.flush()).toBe(0)
  expect(calls).toEqual([])
})

test('without memory for the buffer, writes are direct', () => {
  const { impl } = wasm.alloc
  wasm.alloc.impl = (() => 0) as never
  try {
    expect(write(9, 100, 10)).toBe(0)
  } finally {
    wasm.alloc.impl = impl
  }
  expect(calls).toEqual([[10, 100]])
})
