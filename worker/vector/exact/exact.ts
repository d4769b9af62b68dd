/**
 * The exact index: every row of the scope is looked at, none is skipped by a guess.
 * It answers with estimates, margins and a ceiling for what it left out; the order is proven by whoever rescores.
 */

import { recallError } from '../../../src/core/model/errors.ts'
import { type Kernel, type KernelTally, kernelModes } from '../../kernel/load-kernel.ts'
import type { VectorEstimates, VectorIndex, VectorScan } from '../port.ts'
import { pieceBytes } from '../quantise.ts'
import { quantiseQuery } from './quantise-query.ts'
import { createRegion } from './region.ts'
import { createRowBlocks, paddedLength } from './row-blocks.ts'

export interface ExactIndex extends VectorIndex {
  /**
   * Adds many records at once: encoded pieces laid end to end, one key a piece, keys ascending,
   * neighbours with one key are one record. Bytes are copied.
   */
  addPacked(keys: Uint32Array, packed: Uint8Array): void
}

/** An empty index for vectors of 1 to 4,096 dimensions. It takes the kernel for itself. */
export function createExactIndex(kernel: Kernel, dimensions: number): ExactIndex {
  checkDimensions(dimensions)
  const rows = createRowBlocks(kernel, dimensions)
  const rowCodes = paddedLength(dimensions)
  const query = createRegion(kernel)
  const output = createRegion(kernel)
  const list = createRegion(kernel)
  const allowed = createRegion(kernel)

  return {
    kind: 'exact',
    dimensions,
    rows: rows.living,
    bytes: () => rows.bytes() + query.size() + output.size() + list.size() + allowed.size(),
    add: (key, codes) => rows.append(new Uint32Array(codes.length).fill(key), joinPieces(codes, dimensions)),
    addPacked: rows.append,
    remove: rows.remove,
    has: (key) => rows.rowByKey(key) >= 0,
    scan,
    estimate,
    clear: rows.clear,
  }

  function scan(vector: Float32Array, members: Uint32Array | null, depth: number): VectorScan {
    const error = ask(vector)
    const look = planLook(members)
    const most = Math.max(1, Math.min(depth, rows.extent()))
    const out = output.reach(most * kernel.rankingRoom * entryBytes)
    kernel.begin({ mode: kernelModes.rank, allowed: look.allowed, out, depth: most, cut: 0 })
    look.run()
    kernel.finish()
    const tally = kernel.tally()
    const ranked = readEntries(out, tally.kept, error)
    return {
      mode: 'exact',
      ...splitAtCut(ranked, tally, look, error),
      ...backgroundOf(tally),
      scanned: tally.scanned,
      matched: tally.matched,
    }
  }

  function estimate(vector: Float32Array, keys: Uint32Array): VectorEstimates {
    const error = ask(vector)
    const { pointer, count } = listRows(keys)
    const out = output.reach(count * entryBytes)
    kernel.begin({ mode: kernelModes.each, allowed: 0, out, depth: 0, cut: 0 })
    kernel.gather(pointer, count, rows.extent())
    const found = readEntries(out, count, error)
    const estimates = new Float64Array(keys.length).fill(Number.NaN)
    const margins = new Float64Array(keys.length).fill(Number.NaN)
    let next = 0
    for (let place = 0; place < keys.length; place++) {
      if (rows.rowByKey(keys[place]!) < 0) continue
      estimates[place] = found.estimates[next]!
      margins[place] = found.margins[next]!
      next++
    }
    return { estimates, margins }
  }

  /** Hands the query to the kernel; returns the part of every margin that is the query's. */
  function ask(vector: Float32Array): number {
    if (vector.length !== dimensions) {
      throw recallError('DIMENSION_MISMATCH', `must have ${dimensions} dimensions like the vectors of the index`, {
        field: 'vector',
        value: vector.length,
        hint: 'Embed the query with the model of this store.',
      })
    }
    const pointer = query.reach(rowCodes * 2)
    const { factor, error } = quantiseQuery(vector, kernel.halves(), pointer / 2)
    kernel.ask(pointer, factor * unitsPerOne)
    return error
  }

  /** Few members are gathered row by row, many are a bitmap over a scan; both give the same numbers. */
  function planLook(members: Uint32Array | null): Look {
    if (members === null) return { allowed: 0, run: () => kernel.scan(rows.extent()) }
    const bitmapBytes = ((rows.largestKey() >>> 5) + 1) * 4
    if (members.length * gatherShare < rows.extent() || bitmapBytes > largestBitmapBytes) {
      const { pointer, count } = listRows(members)
      return { allowed: 0, run: () => kernel.gather(pointer, count, rows.extent()) }
    }
    const pointer = allowed.reach(bitmapBytes)
    // Through the kernel's own view: SpiderMonkey (Firefox ESR 153) drops writes to a view that is made here and
    // never read, once this function is hot, and the scan then finds an empty scope.
    const words = kernel.words()
    const first = pointer / 4
    words.fill(0, first, first + bitmapBytes / 4)
    for (let i = 0; i < members.length; i++) {
      const key = members[i]!
      const at = first + (key >>> 5)
      if (at < first + bitmapBytes / 4) words[at] = words[at]! | (1 << (key & 31))
    }
    return { allowed: pointer, run: () => kernel.scan(rows.extent()) }
  }

  /** First rows of the records that are held, in the order asked for. */
  function listRows(keys: Uint32Array): { readonly pointer: number; readonly count: number } {
    const pointer = list.reach(keys.length * 4)
    const words = kernel.words()
    let count = 0
    for (let i = 0; i < keys.length; i++) {
      const row = rows.rowByKey(keys[i]!)
      if (row >= 0) words[pointer / 4 + count++] = row
    }
    return { pointer, count }
  }

  /** Parts what ranks above the cut from what ties with it, and bounds the rest. */
  function splitAtCut(ranked: Entries, tally: KernelTally, look: Look, error: number): Cut {
    if (tally.lostUpper === null) return { ...ranked, tied: new Uint32Array(), ...nothingCut }
    const last = ranked.keys.length - 1
    const cut = ranked.estimates[last]!
    const above = ranked.estimates.indexOf(cut)
    const kept = {
      keys: ranked.keys.slice(0, above),
      estimates: ranked.estimates.slice(0, above),
      margins: ranked.margins.slice(0, above),
      tiedEstimate: cut,
    }
    if (tally.lostBest < cut * unitsPerOne) {
      const tiedMargin = ranked.margins.subarray(above).reduce((most, margin) => Math.max(most, margin), 0)
      return { ...kept, tied: ranked.keys.slice(above), tiedMargin, ceiling: tally.lostUpper / unitsPerOne + error }
    }
    return { ...kept, ...collectTied(cut, tally.matched, look, error) }
  }

  /** The rare way: records that tie with the cut were left out, so a second pass lists all of them. */
  function collectTied(
    cut: number,
    matched: number,
    look: Look,
    error: number,
  ): Pick<Cut, 'tied' | 'tiedMargin' | 'ceiling'> {
    const out = output.reach(matched * 4)
    kernel.begin({ mode: kernelModes.tied, allowed: look.allowed, out, depth: 0, cut: cut * unitsPerOne })
    look.run()
    const { kept, tiedMargin, lostUpper } = kernel.tally()
    return {
      tied: kernel
        .words()
        .slice(out / 4, out / 4 + kept)
        .sort(),
      tiedMargin: tiedMargin / unitsPerOne + error,
      ceiling: lostUpper === null ? -Infinity : lostUpper / unitsPerOne + error,
    }
  }

  /** Entries as the kernel writes them: [~key u32][estimate + 2^31 u32][margin i64]. */
  function readEntries(out: number, count: number, error: number): Entries {
    const words = kernel.words().subarray(out / 4, out / 4 + count * (entryBytes / 4))
    const keys = new Uint32Array(count)
    const estimates = new Float64Array(count)
    const margins = new Float64Array(count)
    for (let place = 0; place < count; place++) {
      keys[place] = ~words[place * 4]!
      estimates[place] = (words[place * 4 + 1]! - 2 ** 31) / unitsPerOne
      margins[place] = words[place * 4 + 2]! / unitsPerOne + error
    }
    return { keys, estimates, margins }
  }
}

/** How a pass walks over the rows of its scope; it can be walked twice. */
interface Look {
  readonly allowed: number
  readonly run: () => void
}

interface Entries extends VectorEstimates {
  readonly keys: Uint32Array
}

type Cut = Pick<VectorScan, 'keys' | 'estimates' | 'margins' | 'tied' | 'tiedEstimate' | 'tiedMargin' | 'ceiling'>

const nothingCut = { tiedEstimate: -Infinity, tiedMargin: 0, ceiling: -Infinity } as const

/** The kernel counts estimates and margins in units of 2^-30. */
const unitsPerOne = 2 ** 30

const entryBytes = 16

/**
 * Where one row of ten is allowed, gathering took a third of the time that passing over the others did: what lies far apart is asked
 * of memory side by side, and nothing has to be guessed. Where one of two is, a pass is quicker.
 */
const gatherShare = 3

/** Keys may be sparse; beyond 2^27 of them a bitmap costs more than it saves. */
const largestBitmapBytes = 2 ** 24

const largestDimensions = 4_096

function checkDimensions(dimensions: number): void {
  if (Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= largestDimensions) return
  throw recallError('INVALID_ARGUMENT', `must be an integer from 1 to ${largestDimensions}`, {
    field: 'dimensions',
    value: dimensions,
  })
}

/** Mean and deviation by exact integers: n·Σx² − (Σx)² loses nothing before the one division. */
function backgroundOf({ matched, sum, squares }: KernelTally): Pick<VectorScan, 'mean' | 'deviation'> {
  if (matched === 0) return { mean: 0, deviation: 0 }
  const spread = BigInt(matched) * squares - sum * sum
  return {
    mean: Number(sum) / matched / unitsPerOne,
    deviation: Math.sqrt(Number(spread)) / matched / unitsPerOne,
  }
}

function joinPieces(codes: readonly Uint8Array[], dimensions: number): Uint8Array {
  const bytes = pieceBytes(dimensions)
  const packed = new Uint8Array(codes.length * bytes)
  codes.forEach((piece, place) => {
    if (piece.length !== bytes) throw wrongLength(piece, dimensions)
    packed.set(piece, place * bytes)
  })
  return packed
}

function wrongLength(piece: Uint8Array, dimensions: number): Error {
  return recallError(
    'DIMENSION_MISMATCH',
    `The data of a vector with ${dimensions} dimensions must be ${pieceBytes(dimensions)} bytes`,
    {
      value: piece.length,
      hint: 'Encode with the embedding space of this store.',
    },
  )
}
