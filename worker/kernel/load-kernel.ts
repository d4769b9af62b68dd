/**
 * Instantiates the compiled kernel with its own memory and wraps it in typed functions. One kernel serves one index.
 * Instantiation is synchronous: the module has 2.9 kB. The content security policy must allow `wasm-unsafe-eval`.
 */

import { recallError } from '../../src/core/model/errors.ts'
import { kernelBase64 } from './kernel.generated.ts'

/** What `begin` starts: a ranking, a list of the records that tie with a cut, or a pass that only notes estimates. */
export const kernelModes = { rank: 0, tied: 1, note: 2 } as const

export interface KernelPass {
  readonly mode: (typeof kernelModes)[keyof typeof kernelModes]
  /** Pointer to a bitmap with a bit per record key; 0 allows every record. */
  readonly allowed: number
  /** Pointer to the output: 16 bytes an entry, or 4 bytes a key in mode `tied`. */
  readonly out: number
  /** Records to keep in mode `rank`. */
  readonly depth: number
  /** The estimate, in units of 2^-30, that mode `tied` looks for. */
  readonly cut: number
  /**
   * Pointer to 8 bytes a row. The first row of each record that the pass compares gets the record's estimate and margin, both i32 in units of
   * 2^-30. The margin leaves out the query's share.
   */
  readonly notes: number
}

/** Counts and sums of a pass. Estimates are in units of 2^-30. Margins leave out the query's share. */
export interface KernelTally {
  readonly kept: number
  readonly scanned: number
  readonly matched: number
  readonly sum: bigint
  readonly squares: bigint
  /** Largest estimate of the records that were not kept. */
  readonly lostBest: number
  /** Largest estimate + margin of the records that were not kept; null when all were kept. */
  readonly lostUpper: number | null
  readonly tiedMargin: number
}

export interface Kernel {
  /** Rows of a block. */
  readonly blockRows: number
  /** Mode `rank` needs room for `rankingRoom` × `depth` entries. */
  readonly rankingRoom: number
  /** A view of the whole memory. Stale after the next `reserve`. */
  bytes(): Uint8Array<ArrayBuffer>
  halves(): Int16Array<ArrayBuffer>
  words(): Uint32Array<ArrayBuffer>
  /** Returns a pointer to new zeroed bytes, aligned to 64. They are never freed or moved. Throws `QUOTA_EXCEEDED`. */
  reserve(bytes: number): number
  /** Sets the table of block pointers and the bytes of a padded row. */
  attach(blockTable: number, rowBytes: number): void
  /** Sets the query: estimate = dot · scale · factor, in units of 2^-30. */
  ask(query: number, factor: number): void
  begin(pass: KernelPass): void
  /** Scans the first `rows` rows. `ahead`: rows that are read before they are multiplied; 0: none. It changes no number. */
  scan(rows: number, ahead: number): void
  /** Scans the records that begin at the listed rows. `rows` ends the last record. */
  gather(list: number, count: number, rows: number): void
  /** Sorts the entries of mode `rank`, best first. */
  finish(): void
  /** Copies encoded vectors into the slots of a block. */
  unpack(source: number, count: number, dimensions: number, block: number, slot: number, rowBytes: number): void
  tally(): KernelTally
}

/** Instantiates the kernel. `module`: its bytes; default: the bytes inside the package. */
export function loadKernel(module: BufferSource = decodeBase64(kernelBase64)): Kernel {
  const wasm = new WebAssembly.Instance(new WebAssembly.Module(module)).exports as unknown as KernelExports
  let next = align(wasm.freeFrom.value)
  let bytes8 = new Uint8Array(wasm.memory.buffer)
  let halves16 = new Int16Array(wasm.memory.buffer)
  let words32 = new Uint32Array(wasm.memory.buffer)
  return {
    blockRows: wasm.blockRows.value,
    rankingRoom: wasm.rankingRoom.value,
    bytes: () => bytes8,
    halves: () => halves16,
    words: () => words32,
    reserve: (count) => {
      const pointer = next
      growTo(wasm.memory, align(pointer + count))
      next = align(pointer + count)
      bytes8 = new Uint8Array(wasm.memory.buffer)
      halves16 = new Int16Array(wasm.memory.buffer)
      words32 = new Uint32Array(wasm.memory.buffer)
      return pointer
    },
    attach: wasm.attach,
    ask: wasm.ask,
    begin: ({ mode, allowed, out, depth, cut, notes }) => wasm.begin(mode, allowed, out, depth, cut, notes),
    scan: wasm.scan,
    gather: wasm.gather,
    finish: wasm.finish,
    unpack: wasm.unpack,
    tally: () => ({
      kept: wasm.kept.value,
      scanned: wasm.scanned.value,
      matched: wasm.matched.value,
      sum: wasm.sum.value,
      squares: (wasm.squaresHigh.value << 32n) + wasm.squaresLow.value,
      lostBest: wasm.lostBest.value,
      lostUpper: wasm.lostUpper.value === smallestI64 ? null : Number(wasm.lostUpper.value),
      tiedMargin: wasm.tiedMargin.value,
    }),
  }
}

interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly freeFrom: NumberGlobal
  readonly blockRows: NumberGlobal
  readonly rankingRoom: NumberGlobal
  readonly kept: NumberGlobal
  readonly scanned: NumberGlobal
  readonly matched: NumberGlobal
  readonly lostBest: NumberGlobal
  readonly tiedMargin: NumberGlobal
  readonly sum: BigIntGlobal
  readonly squaresHigh: BigIntGlobal
  readonly squaresLow: BigIntGlobal
  readonly lostUpper: BigIntGlobal
  attach(blockTable: number, rowBytes: number): void
  ask(query: number, factor: number): void
  begin(mode: number, allowed: number, out: number, depth: number, cut: number, notes: number): void
  scan(rows: number, ahead: number): void
  gather(list: number, count: number, rows: number): void
  finish(): void
  unpack(source: number, count: number, dimensions: number, block: number, slot: number, rowBytes: number): void
}

interface NumberGlobal {
  readonly value: number
}

interface BigIntGlobal {
  readonly value: bigint
}

const pageBytes = 65_536
const smallestI64 = -(2n ** 63n)

function align(pointer: number): number {
  return Math.ceil(pointer / 64) * 64
}

function growTo(memory: KernelExports['memory'], bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / pageBytes)
  if (missing <= 0) return
  try {
    memory.grow(missing)
  } catch {
    throw recallError('QUOTA_EXCEEDED', 'The vectors do not fit into WebAssembly memory', {
      value: `${bytes} bytes`,
      hint: 'Store fewer vectors, or use fewer dimensions.',
    })
  }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let place = 0; place < bytes.length; place++) bytes[place] = binary.charCodeAt(place)
  return bytes
}
