/**
 * Tests which frames of a write-ahead log count, with logs written here by SQLite's "WAL-mode File Format": complete
 * commits, and nothing after the last of them.
 */
import { describe, expect, test } from 'vitest'
import { pageBytes } from '../../../worker/sqlite/pages/page-file.ts'
import { pagesOf, type StoredFile } from '../../../worker/storage/recovery/proven-database.ts'
import { type ReadAt, readFrames } from '../../../worker/storage/recovery/proven-frames.ts'

interface Frame {
  /** From 1, as SQLite counts. */
  readonly page: number
  readonly fill: number
  /** Pages of the file after this commit; 0: the transaction goes on. */
  readonly commit: number
}

const frameBytes = 24 + pageBytes
const placeOf = (frame: number) => 32 + frame * frameBytes + 24

/** A log as SQLite writes it; the checksums are big-endian or little-endian words. */
function logOf(frames: readonly Frame[], order: 'big' | 'little', firstSalt = 0x1234): Uint8Array {
  const log = new Uint8Array(32 + frames.length * frameBytes)
  const view = new DataView(log.buffer)
  const isLittle = order === 'little'
  let sum: [number, number] = [0, 0]
  const add = (from: number, length: number) => {
    for (let at = from; at < from + length; at += 8) {
      sum[0] = (sum[0] + view.getUint32(at, isLittle) + sum[1]) >>> 0
      sum[1] = (sum[1] + view.getUint32(at + 4, isLittle) + sum[0]) >>> 0
    }
  }
  const sign = (at: number) => {
    view.setUint32(at, sum[0])
    view.setUint32(at + 4, sum[1])
  }
  const secondSalt = 0x5678
  for (const [i, word] of [
    isLittle ? 0x377f0682 : 0x377f0683,
    3_007_000,
    pageBytes,
    0,
    firstSalt,
    secondSalt,
  ].entries())
    view.setUint32(4 * i, word)
  add(0, 24)
  sign(24)
  for (const [i, { page, fill, commit }] of frames.entries()) {
    const at = 32 + i * frameBytes
    for (const [j, word] of [page, commit, firstSalt, secondSalt].entries()) view.setUint32(at + 4 * j, word)
    log.fill(fill, at + 24, at + frameBytes)
    add(at, 8)
    add(at + 24, pageBytes)
    sign(at + 16)
  }
  return log
}

function readerOf(bytes: Uint8Array): ReadAt {
  return (target, offset) => {
    const part = bytes.subarray(offset, offset + target.length)
    target.set(part)
    return part.length
  }
}

function read(log: Uint8Array) {
  const { count, places, beyond } = readFrames(readerOf(log), log.length)
  return { count, places: [...places], beyond: [...beyond] }
}

const commits: readonly Frame[] = [
  { page: 1, fill: 1, commit: 0 },
  { page: 2, fill: 2, commit: 2 },
  { page: 2, fill: 3, commit: 0 },
  { page: 3, fill: 4, commit: 3 },
]
const begun: readonly Frame[] = [
  { page: 1, fill: 8, commit: 0 },
  { page: 4, fill: 9, commit: 0 },
]
const proven = [
  [0, placeOf(0)],
  [1, placeOf(2)],
  [2, placeOf(3)],
]

describe.each(['big', 'little'] as const)('a log with %s-endian checksums', (order) => {
  test('gives the last committed image of each page', () => {
    expect(read(logOf(commits, order))).toEqual({ count: 3, places: proven, beyond: [] })
  })

  test('gives nothing of a transaction that was never committed', () => {
    expect(read(logOf([...commits, ...begun], order))).toEqual({ count: 3, places: proven, beyond: [] })
    expect(read(logOf(begun, order))).toEqual({ count: 0, places: [], beyond: [] })
  })

  test('ends before a damaged frame; frames after it are reported separately', () => {
    const log = logOf(commits, order)
    log[placeOf(2) + 5]! ^= 1
    expect(read(log)).toEqual({
      count: 2,
      places: [
        [0, placeOf(0)],
        [1, placeOf(1)],
      ],
      beyond: [[2, placeOf(3)]],
    })
  })

  test('of another page size, with a damaged header or cut within a frame gives the frames proven before that', () => {
    const log = logOf(commits, order)
    expect(read(log.subarray(0, log.length - 1))).toMatchObject({ count: 2 })
    expect(read(log.subarray(0, 31))).toMatchObject({ count: 0 })
    const other = log.slice()
    new DataView(other.buffer).setUint32(8, 4096)
    expect(read(other)).toMatchObject({ count: 0 })
    const flipped = log.slice()
    flipped[13]! ^= 1
    expect(read(flipped)).toMatchObject({ count: 0 })
  })

  test('with frames of an earlier log after its own gives only its own', () => {
    // After a checkpoint a log starts again at its beginning, with other salts.
    const earlier = logOf([...commits, ...commits], order, 0x1233)
    const log = logOf(commits.slice(0, 2), order)
    earlier.set(log)
    expect(read(earlier)).toMatchObject({
      count: 2,
      places: [
        [0, placeOf(0)],
        [1, placeOf(1)],
      ],
    })
  })
})

describe('a database file with a log that is damaged before its last commit', () => {
  const log = logOf(commits, 'big')
  log[placeOf(2) + 5]! ^= 1
  const fileOf = (bytes: Uint8Array): StoredFile => ({ size: bytes.length, read: readerOf(bytes) })
  /** The first byte of each page that counts. */
  const pagesWith = (...fills: readonly number[]) => {
    const database = new Uint8Array(fills.length * pageBytes)
    for (const [i, fill] of fills.entries()) database.fill(fill, i * pageBytes, (i + 1) * pageBytes)
    const { page } = pagesOf(fileOf(database), fileOf(log))
    return fills.map((_, i) => page(i)?.[0])
  }

  test('gives all of its own pages if the commit beyond the damage was written to it', () => {
    expect(pagesWith(0, 7, 4)).toEqual([0, 7, 4])
  })

  test('control: without that commit the proven pages of the log are newer', () => {
    expect(pagesWith(0, 7, 6)).toEqual([1, 2, 6])
  })
})
