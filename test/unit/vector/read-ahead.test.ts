/** Tests reading ahead: it changes no number of a scan, and is used only where it was faster. */

import { describe, expect, test } from 'vitest'
import { type Kernel, kernelModes, loadKernel } from '../../../worker/kernel/load-kernel.ts'
import { aheadRows, cachedBytes, createReadAhead, trials } from '../../../worker/vector/exact/read-ahead.ts'
import { createRowBlocks, paddedLength } from '../../../worker/vector/exact/row-blocks.ts'
import { encodeVector, encodedBytes } from '../../../worker/vector/quantise.ts'
import { plainRecords, seeded } from './vector-fixture.ts'

const dimensions = 40
const depth = 300

describe('a scan that reads rows ahead', () => {
  test('[D3] gives the bits of the plain scan: ranking, ties, sums and notes, over blocks, long records and dead rows', () => {
    for (const rows of [1, 31, 32, 33, 4_095, 4_096, 4_097, 9_000]) {
      const { kernel, extent } = filled(rows)
      for (const mode of [kernelModes.rank, kernelModes.tied, kernelModes.note]) {
        const plain = pass(kernel, mode, extent, 0)
        for (const ahead of [1, 7, aheadRows, 5_000]) expect(pass(kernel, mode, extent, ahead)).toEqual(plain)
      }
    }
  })

  test('[D3] control: the same check notices a scan that leaves out one row', () => {
    const { kernel, extent } = filled(9_000)
    expect(pass(kernel, kernelModes.rank, extent - 1, aheadRows)).not.toEqual(
      pass(kernel, kernelModes.rank, extent, aheadRows),
    )
  })
})

describe('the choice', () => {
  const choose = (bytes: number, timeOf: (ahead: number) => number) => {
    let nowMs = 0
    const { run } = createReadAhead(() => nowMs)
    const chosen: number[] = []
    for (let turn = 0; turn < trials + 5; turn++) {
      run(bytes, (ahead) => {
        chosen.push(ahead)
        nowMs += timeOf(ahead)
      })
    }
    return chosen
  }

  test('tries both ways in turns and keeps the faster one', () => {
    const faster = choose(cachedBytes + 1, (ahead) => (ahead === 0 ? 6 : 4))
    expect(faster.slice(0, 4)).toEqual([0, aheadRows, 0, aheadRows])
    expect(new Set(faster.slice(trials))).toEqual(new Set([aheadRows]))
    const slower = choose(cachedBytes + 1, (ahead) => (ahead === 0 ? 4 : 6))
    expect(new Set(slower.slice(trials))).toEqual(new Set([0]))
  })

  test('uses the least time: other work that delays some scans does not decide', () => {
    let turn = 0
    const delayed = choose(cachedBytes + 1, (ahead) => (ahead === 0 ? 6 : 4) + (turn++ % 4 < 2 ? 50 : 0))
    expect(new Set(delayed.slice(trials))).toEqual(new Set([aheadRows]))
  })

  test('never reads ahead where the rows fit into the cache', () => {
    expect(new Set(choose(cachedBytes, () => 1))).toEqual(new Set([0]))
  })
})

/** A kernel with records of one to three rows, every ninth of them removed. */
function filled(count: number): { kernel: Kernel; extent: number } {
  const kernel = loadKernel()
  const blocks = createRowBlocks(kernel, dimensions)
  for (const [key, vectors] of plainRecords(seeded(count), count, dimensions)) {
    if (blocks.extent() + vectors.length > count) break
    const packed = new Uint8Array(vectors.length * encodedBytes(dimensions))
    vectors.forEach((vector, i) => packed.set(encodeVector(vector), i * encodedBytes(dimensions)))
    blocks.append(new Uint32Array(vectors.length).fill(key), packed)
    if (key % 9 === 0) blocks.remove(key)
  }
  const rowBytes = paddedLength(dimensions)
  const query = kernel.reserve(rowBytes * 2)
  const random = seeded(count + 1)
  for (let i = 0; i < dimensions; i++) kernel.halves()[query / 2 + i] = Math.round(random() * 4_000 - 2_000)
  kernel.ask(query, 1_000)
  return { kernel, extent: blocks.extent() }
}

function pass(kernel: Kernel, mode: 0 | 1 | 2, rows: number, ahead: number) {
  const room = Math.max(depth * kernel.rankingRoom, rows) * 16
  const out = kernel.reserve(room)
  const notes = kernel.reserve(rows * 8)
  kernel.begin({ mode, allowed: 0, out, depth, cut: 0, notes })
  kernel.scan(rows, ahead)
  if (mode === kernelModes.rank) kernel.finish()
  const tally = kernel.tally()
  const entryBytes = mode === kernelModes.tied ? 4 : 16
  // A text, because comparing large arrays element by element is slow.
  const textOf = (from: number, bytes: number) => Buffer.from(kernel.bytes().buffer, from, bytes).toString('base64')
  return { tally, entries: textOf(out, tally.kept * entryBytes), notes: textOf(notes, rows * 8) }
}
