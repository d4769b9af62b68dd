/**
 * The exact index: compares the query with every row of the scope.
 * It returns estimates, margins and a ceiling for the records it left out. The caller rescores and proves the order.
 */

import { recallError } from '../../../src/core/model/errors.ts'
import { type Kernel, type KernelTally, kernelModes } from '../../kernel/load-kernel.ts'
import { type EncodedRecord, noKeys, type VectorEstimates, type VectorIndex, type VectorScan } from '../port.ts'
import { joinEncoded } from './join-encoded.ts'
import { createLooks, type Look } from './looks.ts'
import { quantiseQuery } from './quantise-query.ts'
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
  const notes = createRegion(kernel)
  const { planLook, listRows, ...looks } = createLooks(kernel, rows, rowCodes)
  /** The query that the kernel has, and the rows for which `notes` holds its estimates of all records, except those marked as missing. */
  let asked: { readonly vector: Float32Array; readonly error: number; readonly notedRows: number } | null = null

  return {
    kind: 'exact',
    dimensions,
    rows: rows.living,
    bytes: () => rows.bytes() + query.size() + output.size() + notes.size() + looks.bytes(),
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

  function scan(
    vector: Float32Array,
    scopeKeys: Uint32Array | null,
    depth: number,
    _way?: 'exact',
    except: ReadonlySet<number> = noKeys,
  ): VectorScan {
    const error = ask(vector)
    const look = planLook(scopeKeys, except)
    const most = Math.max(1, Math.min(depth, rows.extent()))
    const out = output.reach(most * kernel.rankingRoom * entryBytes)
    const noted = reachNotes()
    if (look.allowed !== 0) kernel.bytes().fill(0xff, noted, noted + rows.extent() * noteBytes)
    kernel.begin({ mode: kernelModes.rank, allowed: look.allowed, out, depth: most, cut: 0, notes: noted })
    look.run()
    if (look.isWide) asked = { vector, error, notedRows: rows.version() }
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
    const isNoted = asked?.notedRows === rows.version()
    const first = reachNotes() / 4
    const { pointer, count } = listRows(
      keys,
      (row) => !isNoted || kernel.words()[first + 2 * row + 1] === missingMargin,
    )
    if (count > 0) {
      kernel.begin({ mode: kernelModes.note, allowed: 0, out: 0, depth: 0, cut: 0, notes: first * 4 })
      kernel.gather(pointer, count, rows.extent())
    }
    const words = kernel.words()
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

interface Entries extends VectorEstimates {
  readonly keys: Uint32Array
}

type Cut = Pick<VectorScan, 'keys' | 'estimates' | 'margins' | 'tied' | 'tiedEstimate' | 'tiedMargin' | 'ceiling'>

const nothingCut = { tiedEstimate: -Infinity, tiedMargin: 0, ceiling: -Infinity } as const

/** The kernel counts estimates and margins in units of 2^-30. */
const unitsPerOne = 2 ** 30

const entryBytes = 16
const noteBytes = 8

/** The margin in the note of a record that the last wide scan did not compare. */
const missingMargin = 0xffffffff

/** Vectors per batch: about 200 KB with 384 dimensions. */
const batchVectors = 512

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
