/**
 * Merges the predictions of a record. Each is known by the stamp of its `predict`; of two states of one the later resolution stays.
 * Only the last prediction may be open: `predict` replaces an open one.
 */
import { canonicalJson } from '../text/hash/canonical.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { compareStamps, type Stamp } from './stamp.ts'

export interface Prediction {
  readonly made: Stamp
  /** ms. */
  readonly createdAt: number
  /** Canonical JSON. */
  readonly expected: string
  /** Canonical JSON; null: an outcome resolved it, or it is open. */
  readonly actual: string | null
  readonly error: number | null
  /** ms; null: it is open. */
  readonly resolvedAt: number | null
  /** The stamp of the resolution; null: it is open. */
  readonly resolvedBy: Stamp | null
}

/** By `made`. */
export function mergePredictions(a: readonly Prediction[], b: readonly Prediction[]): readonly Prediction[] {
  const merged: Prediction[] = []
  for (const prediction of [...a, ...b].sort((x, y) => compareStamps(x.made, y.made))) {
    const last = merged.at(-1)
    if (last === undefined || compareStamps(last.made, prediction.made) !== 0) merged.push(prediction)
    else merged[merged.length - 1] = compareStates(last, prediction) >= 0 ? last : prediction
  }
  return merged.filter(({ resolvedBy }, i) => resolvedBy !== null || i === merged.length - 1)
}

function compareStates(a: Prediction, b: Prediction): number {
  if (a.resolvedBy === null || b.resolvedBy === null) {
    const order = Number(a.resolvedBy !== null) - Number(b.resolvedBy !== null)
    if (order !== 0) return order
  } else {
    const order = compareStamps(a.resolvedBy, b.resolvedBy)
    if (order !== 0) return order
  }
  return compareCodePoints(canonicalJson(a), canonicalJson(b))
}
