/**
 * The exact index: compares the query with every row of the scope.
 * It returns estimates, margins and a ceiling for the records it left out. The caller rescores and proves the order.
 */

import { recallError } from '../../../src/core/model/errors.ts'
import { type Kernel, type KernelTally, kernelModes } from '../../kernel/load-kernel.ts'
import type { EncodedRecord, VectorEstimates, VectorIndex, VectorScan } from '../port.ts'
import { joinEncoded } from './join-encoded.ts'
import { quantiseQuery } from './quantise-query.ts'
import { createReadAhead } from './read-ahead.ts'
import { createRegion } from './region.ts'
import { createRowBlocks, paddedLength } from './row-blocks.ts'

export interface ExactIndex extends VectorIndex {
  /**
   * Adds many records at once: concatenated encoded vectors, one ascending key per vector. Vectors with the same key are one
   * record. Copies the bytes.
   */
  addPacked(keys: Uint32Array, packed: Uint8Array): void
}

/** Creates an empty index for vectors of 1 to 4,096 dimensions. The kernel must not serve another index. */
export function createExactIndex(kernel: Kernel, dimensions: number): ExactIndex {
  checkDimensions(dimensions)
  const rows = createRowBlocks(kernel, dimensions)
  const rowCodes = paddedLength(dimensions)
  const query = createRegion(kernel)
  const output = createRegion(kernel)
  const list = createRegion(kernel)
  const allowed = createRegion(kernel)
  const notes = createRegion(kernel)
  /** The query that the kernel has, and the rows for which `notes` holds its estimates of all records. */
  let asked: { readonly vector: Float32Array; readonly error: number; readonly notedRows: number } | null = null
  const readAhead = createReadAhead(() => performance.now())

  return {
    kind: 'exact',
    dimensions,
    rows: rows.living,
    bytes: () => rows.bytes() + query.size() + output.size() + list.size() + allowed.size() + notes.size(),
    add: (key, codes) => rows.append(new Uint32Array(codes.length).fill(key), joinEncoded(codes, dimensions)),
    addPacked: rows.append,
    remove: rows.remove,
    replace,
    has: (key) => rows.rowByKey(key) >= 0,
    scan,
    estimate,
    clear: rows.clear,
  }

  function replace(removed: readonly number[], added: readonly EncodedRecord[]): void {
    rows.removeAll(removed)
    let keys: number[] = []
    let batch: Uint8Array[] = []
    const flush = () => {
      if (keys.length > 0) rows.append(Uint32Array.from(keys), joinEncoded(batch, dimensions))
      keys = []
      batch = []
    }
    for (const { key, codes } of added) {
      // The keys of a batch ascend, and all chunks of a record are in one batch.
      if (keys.length >= batchVectors || key <= (keys.at(-1) ?? -1)) flush()
      for (const code of codes) {
        keys.push(key)
        batch.push(code)
      }
    }
    flush()
  }

  function scan(vector: Float32Array, scopeKeys: Uint32Array | null, depth: number): VectorScan {
    const error = ask(vector)
    const look = planLook(scopeKeys)
    const most = Math.max(1, Math.min(depth, rows.extent()))
    const out = output.reach(most * kernel.rankingRoom * entryBytes)
    kernel.begin({ mode: kernelModes.rank, allowed: look.allowed, out, depth: most, cut: 0, notes: reachNotes() })
    look.run()
    asked = { vector, error, notedRows: scopeKeys === null ? rows.version() : -1 }
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
    if (asked?.notedRows !== rows.version()) {
      const { pointer, count } = listRows(keys)
      kernel.begin({ mode: kernelModes.note, allowed: 0, out: 0, depth: 0, cut: 0, notes: reachNotes() })
      kernel.gather(pointer, count, rows.extent())
    }
    const words = kernel.words()
    const first = notes.reach(0) / 4
    const estimates = new Float64Array(keys.length).fill(Number.NaN)
    const margins = new Float64Array(keys.length).fill(Number.NaN)
    for (let place = 0; place < keys.length; place++) {
      const row = rows.rowByKey(keys[place]!)
      if (row < 0) continue
      estimates[place] = (words[first + 2 * row]! | 0) / unitsPerOne
      margins[place] = words[first + 2 * row + 1]! / unitsPerOne + error
    }
    return { estimates, margins }
  }

  function reachNotes(): number {
    return notes.reach(rows.extent() * noteBytes)
  }

  /** Passes the query to the kernel, unless it has it. Returns the query's share of every margin. */
  function ask(vector: Float32Array): number {
    if (asked?.vector === vector) return asked.error
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
    asked = { vector, error, notedRows: -1 }
    return error
  }

  /** Gathers row by row for few scope keys; scans all rows with a bitmap for many. Both give the same numbers. */
  function planLook(scopeKeys: Uint32Array | null): Look {
    if (scopeKeys === null) return { allowed: 0, run: scanAll }
    const bitmapBytes = ((rows.largestKey() >>> 5) + 1) * 4
    if (scopeKeys.length * gatherShare < rows.extent() || bitmapBytes > largestBitmapBytes) {
      const { pointer, count } = listRows(scopeKeys)
      return { allowed: 0, run: () => kernel.gather(pointer, count, rows.extent()) }
    }
    const pointer = allowed.reach(bitmapBytes)
    // Writes through the kernel's own view: when this function is hot, SpiderMonkey (Firefox ESR 153) drops writes to a
    // view that is created here and never read. The scan then finds an empty scope.
    const words = kernel.words()
    const first = pointer / 4
    words.fill(0, first, first + bitmapBytes / 4)
    for (let i = 0; i < scopeKeys.length; i++) {
      const key = scopeKeys[i]!
      const at = first + (key >>> 5)
      if (at < first + bitmapBytes / 4) words[at] = words[at]! | (1 << (key & 31))
    }
    // Reading ahead would read the rows that the bitmap skips.
    return { allowed: pointer, run: () => kernel.scan(rows.extent(), 0) }
  }

  function scanAll(): void {
    readAhead.run(rows.extent() * rowCodes, (ahead) => kernel.scan(rows.extent(), ahead))
  }

  /** First rows of the given records that have vectors, in the order of `keys`. */
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

  /** Separates the entries above the cut from those that tie with it, and bounds all other records. */
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

  /** The rare case: the first pass left out records that tie with the cut, so a second pass lists all of them. */
  function collectTied(
    cut: number,
    matched: number,
    look: Look,
    error: number,
  ): Pick<Cut, 'tied' | 'tiedMargin' | 'ceiling'> {
    const out = output.reach(matched * 4)
    kernel.begin({
      mode: kernelModes.tied,
      allowed: look.allowed,
      out,
      depth: 0,
      cut: cut * unitsPerOne,
      notes: reachNotes(),
    })
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

/** A pass over the rows of a scope. `run` may be called twice. */
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
const noteBytes = 8

/** Vectors per batch: about 200 KB with 384 dimensions. */
const batchVectors = 512

/**
 * Gathering is used below one row in three. With one allowed row in ten, gathering took a third of the time of a scan: its loads
 * overlap and no branch is mispredicted. With one in two, a scan is faster.
 */
const gatherShare = 3

/** Keys may be sparse. Above 2^27 of them a bitmap costs more than it saves. */
const largestBitmapBytes = 2 ** 24

const largestDimensions = 4_096

function checkDimensions(dimensions: number): void {
  if (Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= largestDimensions) return
  throw recallError('INVALID_ARGUMENT', `must be an integer from 1 to ${largestDimensions}`, {
    field: 'dimensions',
    value: dimensions,
  })
}

/** Mean and deviation from exact integers: n·Σx² − (Σx)² is exact; only the division rounds. */
function backgroundOf({ matched, sum, squares }: KernelTally): Pick<VectorScan, 'mean' | 'deviation'> {
  if (matched === 0) return { mean: 0, deviation: 0 }
  const spread = BigInt(matched) * squares - sum * sum
  return {
    mean: Number(sum) / matched / unitsPerOne,
    deviation: Math.sqrt(Number(spread)) / matched / unitsPerOne,
  }
}
