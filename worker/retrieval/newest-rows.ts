/** The candidates by time and id: their places in the order that the store keeps. */
import type { TimeOrder } from '../store/derived/time-order.ts'

export function newestRows(
  { keys: inOrder, places }: TimeOrder,
  keys: Uint32Array,
  rowOf: (key: number) => number,
): Int32Array {
  const rows = new Int32Array(keys.length)
  if (keys.length * sortShare < inOrder.length) {
    const sorted = keys.map((key) => places[key]!).sort()
    for (let i = 0; i < sorted.length; i++) rows[i] = rowOf(inOrder[sorted[i]!]!)
    return rows
  }
  for (let i = 0, found = 0; found < rows.length; i++) {
    const row = rowOf(inOrder[i]!)
    if (row !== -1) rows[found++] = row
  }
  return rows
}

/** Sorting a candidate costs as much as passing over some 16 records. */
const sortShare = 16
