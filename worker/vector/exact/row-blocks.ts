/**
 * The rows of an exact index in kernel memory: fixed blocks, so that growth never moves a row.
 * Removing zeroes a record's slots at once [W3]; when more than a third of the rows are dead, the living close ranks.
 */

import type { Kernel } from '../../kernel/load-kernel.ts'
import { checkKeys, checkPieces } from '../check-chunks.ts'
import { pieceBytes } from '../quantise.ts'
import { createKeyTable } from './key-table.ts'
import { createRegion } from './region.ts'

export interface RowBlocks {
  /** Rows in use, dead ones included: what a scan has to pass over. */
  extent(): number
  /** Rows that are alive. */
  living(): number
  /** Bytes of kernel memory held by blocks. */
  bytes(): number
  /** The largest key added since the last `clear`; a bitmap of keys must reach it. */
  largestKey(): number
  /** First row of a record, or −1. */
  rowByKey(key: number): number
  /** Adds encoded pieces laid end to end, one ascending key a piece; pieces with one key are one record. */
  append(keys: Uint32Array, packed: Uint8Array): void
  /** Zeroes a record's rows; unknown keys are ignored. */
  remove(key: number): void
  /** Zeroes all rows; the blocks stay for later. */
  clear(): void
}

/** Bytes of a row: whole 32-byte steps of the kernel. */
export function paddedLength(dimensions: number): number {
  return Math.ceil(dimensions / 32) * 32
}

/** No rows yet. */
export function createRowBlocks(kernel: Kernel, dimensions: number): RowBlocks {
  const { blockRows } = kernel
  const packedBytes = pieceBytes(dimensions)
  const rowBytes = paddedLength(dimensions)
  const ownersAt = blockRows * rowBytes
  const scalesAt = ownersAt + blockRows * 4
  const residualsAt = scalesAt + blockRows * 4
  const blockBytes = residualsAt + blockRows * 4
  /** Where each column of a block begins, and its bytes a row. */
  const columns = [
    [0, rowBytes],
    [ownersAt, 4],
    [scalesAt, 4],
    [residualsAt, 4],
  ] as const
  const blocks: number[] = []
  const blockTable = createRegion(kernel)
  const stage = createRegion(kernel)
  const table = createKeyTable()
  let extent = 0
  let dead = 0
  let largestKey = 0

  return {
    extent: () => extent,
    living: () => extent - dead,
    bytes: () => blocks.length * blockBytes,
    largestKey: () => largestKey,
    rowByKey: table.rowByKey,
    append,
    remove,
    clear,
  }

  function append(keys: Uint32Array, packed: Uint8Array): void {
    checkKeys(keys)
    checkPieces(packed, keys.length, dimensions)
    // All that can fail has to fail before the first row changes.
    reachRows(extent + keys.length)
    const stagePieces = Math.max(1, Math.floor(stageBytes / packedBytes))
    const source = stage.reach(stagePieces * packedBytes)
    for (let piece = 0; piece < keys.length; piece++) {
      if (keys[piece] !== keys[piece - 1]) remove(keys[piece]!)
    }
    for (let from = 0; from < keys.length; ) {
      const slot = extent % blockRows
      const count = Math.min(keys.length - from, stagePieces, blockRows - slot)
      kernel.bytes().set(packed.subarray(from * packedBytes, (from + count) * packedBytes), source)
      kernel.unpack(source, count, dimensions, blocks[(extent - slot) / blockRows]!, slot)
      kernel.words().set(keys.subarray(from, from + count), ownerAt(extent))
      for (let piece = from; piece < from + count; piece++) {
        if (keys[piece] !== keys[piece - 1]) table.set(keys[piece]!, extent + piece - from)
      }
      extent += count
      from += count
    }
    // What passed through the stage may have to be forgotten later.
    kernel.bytes().fill(0, source, source + Math.min(keys.length, stagePieces) * packedBytes)
    largestKey = Math.max(largestKey, keys.at(-1) ?? 0)
  }

  function remove(key: number): void {
    const first = table.rowByKey(key)
    if (first < 0) return
    table.delete(key)
    const words = kernel.words()
    for (let row = first; row < extent && words[ownerAt(row)] === key; row++) {
      eraseRows(row, 1)
      words[ownerAt(row)] = nobody
      dead++
    }
    if (dead * 3 > extent && (dead >= worthMovingRows || dead === extent)) closeRanks()
  }

  function clear(): void {
    for (const block of blocks) kernel.bytes().fill(0, block, block + blockBytes)
    table.clear()
    extent = dead = largestKey = 0
  }

  /** Moves the living rows down over the dead ones, run by run within blocks, and zeroes what is left above. */
  function closeRanks(): void {
    const end = extent
    const words = kernel.words()
    let target = 0
    let previous = nobody
    for (let source = 0; source < end; ) {
      const room = blockRows - Math.max(source % blockRows, target % blockRows)
      let count = 0
      for (; count < room && source + count < end; count++) {
        const key = words[ownerAt(source + count)]!
        if (key === nobody) break
        if (key !== previous) table.set(key, target + count)
        previous = key
      }
      if (source !== target) moveRows(source, target, count)
      target += count
      source += Math.max(count, 1)
    }
    for (let row = target; row < end; ) {
      const count = Math.min(end - row, blockRows - (row % blockRows))
      eraseRows(row, count)
      row += count
    }
    extent = target
    dead = 0
  }

  function moveRows(source: number, target: number, count: number): void {
    for (const [offset, bytes] of columns) {
      const from = addressOf(source, offset, bytes)
      kernel.bytes().copyWithin(addressOf(target, offset, bytes), from, from + count * bytes)
    }
  }

  /** Zeroes rows of one block, owners included. */
  function eraseRows(row: number, count: number): void {
    for (const [offset, bytes] of columns) {
      const from = addressOf(row, offset, bytes)
      kernel.bytes().fill(0, from, from + count * bytes)
    }
  }

  /** Makes room for so many rows. */
  function reachRows(rows: number): void {
    while (blocks.length * blockRows < rows) {
      const pointers = blockTable.reach((blocks.length + 1) * 4)
      blocks.push(kernel.reserve(blockBytes))
      kernel.words().set(blocks, pointers / 4)
      kernel.attach(pointers, rowBytes)
    }
  }

  /** Index of a row's owner among the words of the memory. */
  function ownerAt(row: number): number {
    return addressOf(row, ownersAt, 4) / 4
  }

  function addressOf(row: number, offset: number, bytes: number): number {
    const slot = row % blockRows
    return blocks[(row - slot) / blockRows]! + offset + slot * bytes
  }
}

/** Owner of a dead row; the kernel skips it. */
const nobody = 0xffffffff

/** Bytes of encoded pieces handed to the kernel at a time: small enough to stay in the cache. */
const stageBytes = 65_536

/** Below this many dead rows a scan loses less than a move costs. */
const worthMovingRows = 1_024
