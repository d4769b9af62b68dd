/** Orders the candidates by time and id, from the order that the store keeps of all records. */
import type { TimeOrder } from '../../store/port/columns.ts'
import type { CandidateRows } from '../question/key-rows.ts'

export function newestRows({ keys: inOrder, places }: TimeOrder, { keys, rowOf }: CandidateRows): Int32Array {
  const rows = new Int32Array(keys.length)
  if (keys.length * sortShare < inOrder.length) {
    const sorted = keys.map((key) => places[key]!).sort()
    for (let i = 0; i < sorted.length; i++) rows[i] = rowOf(inOrder[sorted[i]!]!)
    return rows
  }
  for (let i = 0, length = 0; length < rows.length; i++) {
    const row = rowOf(inOrder[i]!)
    if (row !== -1) rows[length++] = row
  }
  return rows
}

/** Sorting one candidate costs about as much as passing over 16 records. */
const sortShare = 16
