/** Finds the nearest records of a part of the scope within a depth, for policies that cut channels and for graphs. */
import { kthLargest, selectTop } from '../../../src/core/collections/select-top.ts'
import type { VectorScan } from '../../vector/port.ts'
import { type Comparison, exactCosine } from '../candidates/exact-cosine.ts'

/** These keys, or all records but those of `except`. */
export interface PartOfScope {
  readonly keys: Uint32Array | null
  readonly except: ReadonlySet<number>
}

/** What a scan found, and the records that become candidates. */
export interface PartScan {
  readonly scan: VectorScan
  readonly keys: readonly number[]
  /** No cosine of another record is above this; −Infinity if there is none, or if a depth decides. */
  readonly ceiling: number
}

/**
 * Every record that could be among the `depth` best, and few others: records whose upper bound is at least the depth-th
 * best lower bound. Choosing by estimates alone could miss some of the best [V1].
 */
export function withinDepth(
  comparison: Comparison,
  { keys: some, except }: PartOfScope,
  depth: number,
  way: 'exact' | undefined,
): PartScan {
  for (let scanDepth = Math.ceil(depth * firstShare); ; scanDepth *= 2) {
    const scan = comparison.index.scan(comparison.query, some, scanDepth, way, except)
    if (scan.ceiling === Number.NEGATIVE_INFINITY && scan.keys.length + scan.tied.length <= depth)
      return { scan, keys: [...scan.keys, ...scan.tied], ceiling: Number.NEGATIVE_INFINITY }
    const { low, high } = boundsOf(scan)
    const floor = kthLargest(low, depth)
    // A record that the scan left out may still be among the best: scan deeper.
    if (scan.ceiling >= floor && scan.ceiling !== Number.NEGATIVE_INFINITY) continue
    const keys: number[] = []
    for (let i = 0; i < scan.keys.length; i++) if (high[i]! >= floor) keys.push(scan.keys[i]!)
    if (scan.tiedEstimate + scan.tiedMargin >= floor) for (const key of scan.tied) keys.push(key)
    return {
      scan,
      keys: keys.length > depth * mostShare ? cutByCosine(comparison, keys, scan, depth) : keys,
      ceiling: Number.NEGATIVE_INFINITY,
    }
  }
}

/** Bounds of the keys in the order of the scan: keys above the cut, then keys that tie with it. */
function boundsOf({ keys, estimates, margins, tied, tiedEstimate, tiedMargin }: VectorScan) {
  const low = new Float64Array(keys.length + tied.length).fill(tiedEstimate - tiedMargin, keys.length)
  const high = new Float64Array(keys.length)
  for (let i = 0; i < keys.length; i++) {
    low[i] = estimates[i]! - margins[i]!
    high[i] = estimates[i]! + margins[i]!
  }
  return { low, high }
}

/** Too many records have overlapping bounds (thousands of copies): reads their exact cosines and cuts by (cosine, id). */
function cutByCosine(
  comparison: Comparison,
  keys: readonly number[],
  { tied, tiedEstimate, tiedMargin }: VectorScan,
  depth: number,
): readonly number[] {
  // An estimate with margin 0 is exact, for example that of a zero vector.
  const exactlyTied = tiedMargin === 0 ? new Set(tied) : new Set<number>()
  const cosines = new Map(
    keys.map((key) => [key, exactlyTied.has(key) ? tiedEstimate : exactCosine(comparison, key)] as const),
  )
  return selectTop(keys, (key) => cosines.get(key)!, depth, comparison.store.idOf)
}

/** The first scan keeps this many times `depth` records, so that a second scan is rare. */
const firstShare = 2

/** Above this many times `depth` candidates, exact cosines choose the best `depth`. */
const mostShare = 4
