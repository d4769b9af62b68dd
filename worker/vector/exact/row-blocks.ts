/**
 * Stores the rows of an exact index in fixed blocks of kernel memory, so that growth never moves a row.
 * Removing a record zeroes its slots at once [W3]. When more than a third of the rows are dead, the rows are compacted.
 */

import type { Kernel } from '../../kernel/load-kernel.ts'
import { checkKeys, checkEncoded } from '../check-encoded.ts'
import { encodedBytes } from '../quantise.ts'
import { createKeyTable } from './key-table.ts'
import { createRegion } from './region.ts'

export interface RowBlocks {
  /** Rows in use, including dead rows: a scan passes over all of them. */
  extent(): number
  /** Rows in use, without dead rows. */
  living(): number
  /** Bytes of kernel memory in blocks. */
  bytes(): number
  /** The largest key added since the last `clear`; a bitmap of keys must reach it. */
  largestKey(): number
  /** Grows with each change of the rows. */
  version(): number
  /** First row of a record, or −1. */
  rowByKey(key: number): number
  /** The keys of all records, in the order of their rows. */
  keys(): Uint32Array
  /** Adds concatenated encoded vectors with one ascending key per vector. Vectors with the same key are one record. */
  append(keys: Uint32Array, packed: Uint8Array): void
  /** Zeroes a record's rows. Ignores unknown keys. */
  remove(key: number): void
  /** Does the same for many records. Zeroes whole blocks when no record is left. */
  removeAll(keys: readonly number[]): void
  /** Zeroes all rows and keeps the blocks for reuse. */
  clear(): void
}

/** Bytes of a row: a multiple of the kernel's 32-byte step. */
export function paddedLength(dimensions: number): number {
  return Math.ceil(dimensions / 32) * 32
}

/** Creates an empty table of rows. */
export function createRowBlocks(kernel: Kernel, dimensions: number): RowBlocks {
  const { blockRows } = kernel
  const packedBytes = encodedBytes(dimensions)
  const rowBytes = paddedLength(dimensions)
  const ownersAt = blockRows * rowBytes
  const scalesAt = ownersAt + blockRows * 4
  const residualsAt = scalesAt + blockRows * 4
  const blockBytes = residualsAt + blockRows * 4
  /** Offset of each column in a block, and its bytes per row. */
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
  let version = 0

  return {
    extent: () => extent,
    living: () => extent - dead,
    bytes: () => blocks.length * blockBytes,
    largestKey: () => largestKey,
    version: () => version,
    rowByKey: table.rowByKey,
    keys,
    append,
    remove,
    removeAll,
    clear,
  }

  function append(keys: Uint32Array, packed: Uint8Array): void {
    version++
    checkKeys(keys)
    checkEncoded(packed, keys.length, dimensions)
    // Everything that can throw must run before the first row changes.
    reachRows(extent + keys.length)
    const stageVectors = Math.max(1, Math.floor(stageBytes / packedBytes))
    const source = stage.reach(stageVectors * packedBytes)
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] !== keys[i - 1]) remove(keys[i]!)
    }
    for (let from = 0; from < keys.length; ) {
      const slot = extent % blockRows
      const count = Math.min(keys.length - from, stageVectors, blockRows - slot)
      kernel.bytes().set(packed.subarray(from * packedBytes, (from + count) * packedBytes), source)
      kernel.unpack(source, count, dimensions, blocks[(extent - slot) / blockRows]!, slot, rowBytes)
      kernel.words().set(keys.subarray(from, from + count), ownerAt(extent))
      for (let i = from; i < from + count; i++) {
        if (keys[i] !== keys[i - 1]) table.set(keys[i]!, extent + i - from)
      }
      extent += count
      from += count
    }
    // The stage must not keep copies of vectors: the records may be forgotten later.
    kernel.bytes().fill(0, source, source + Math.min(keys.length, stageVectors) * packedBytes)
    largestKey = Math.max(largestKey, keys.at(-1) ?? 0)
  }

  function remove(key: number): void {
    const { first, count } = rowsOf(key)
    if (count === 0) return
    version++
    table.delete(key)
    const words = kernel.words()
    for (let row = first; row < first + count; row++) {
      eraseRows(row, 1)
      words[ownerAt(row)] = noOwner
    }
    dead += count
    if (dead * 3 > extent && (dead >= worthMovingRows || dead === extent)) compact()
  }

  /** Zeroes whole blocks instead of single rows if no record is left. */
  function removeAll(keys: readonly number[]): void {
    const unique = new Set(keys)
    let rows = 0
    for (const key of unique) rows += rowsOf(key).count
    if (rows === extent - dead) clear()
    else for (const key of unique) remove(key)
  }

  function rowsOf(key: number): { readonly first: number; readonly count: number } {
    const first = table.rowByKey(key)
    if (first < 0) return { first, count: 0 }
    const words = kernel.words()
    let end = first + 1
    while (end < extent && words[ownerAt(end)] === key) end++
    return { first, count: end - first }
  }

  function keys(): Uint32Array {
    const words = kernel.words()
    const found = new Uint32Array(extent - dead)
    let count = 0
    for (let row = 0; row < extent; row++) {
      const key = words[ownerAt(row)]!
      if (key !== noOwner && key !== found[count - 1]) found[count++] = key
    }
    return found.subarray(0, count)
  }

  function clear(): void {
    version++
    for (const block of blocks) kernel.bytes().fill(0, block, block + blockBytes)
    table.clear()
    extent = dead = largestKey = 0
  }

  /** Moves the other rows down over the dead ones, run by run within blocks, and zeroes the rows that are free then. */
  function compact(): void {
    const end = extent
    const words = kernel.words()
    let target = 0
    let previous = noOwner
    for (let source = 0; source < end; ) {
      const room = blockRows - Math.max(source % blockRows, target % blockRows)
      let count = 0
      for (; count < room && source + count < end; count++) {
        const key = words[ownerAt(source + count)]!
        if (key === noOwner) break
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

  /** Zeroes rows of one block, including their owners. */
  function eraseRows(row: number, count: number): void {
    for (const [offset, bytes] of columns) {
      const from = addressOf(row, offset, bytes)
      kernel.bytes().fill(0, from, from + count * bytes)
    }
  }

  /** Reserves blocks until `rows` rows fit. */
  function reachRows(rows: number): void {
    while (blocks.length * blockRows < rows) {
      const pointers = blockTable.reach((blocks.length + 1) * 4)
      blocks.push(kernel.reserve(blockBytes))
      kernel.words().set(blocks, pointers / 4)
      kernel.attach(pointers, rowBytes)
    }
  }

  /** Index of a row's owner in `kernel.words()`. */
  function ownerAt(row: number): number {
    return addressOf(row, ownersAt, 4) / 4
  }

  function addressOf(row: number, offset: number, bytes: number): number {
    const slot = row % blockRows
    return blocks[(row - slot) / blockRows]! + offset + slot * bytes
  }
}

/** Owner of a dead row; the kernel skips it. */
const noOwner = 0xffffffff

/** Bytes of encoded vectors passed to the kernel at a time: small enough to stay in the cache. */
const stageBytes = 65_536

/** Below this many dead rows, scanning them costs less than compacting. */
const worthMovingRows = 1_024
