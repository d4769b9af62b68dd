/** Makes a changed record: more words, and the vector of its neighbour. The same for every contender. */
import { type Records, rowOf } from './load-collection.ts'
import type { Changed } from './peers/peer.ts'

export function changedRow({ records, vectors }: Records, row: number): Changed {
  const record = records[row]
  if (record === undefined) throw new Error(`record ${row} is missing`)
  return {
    row,
    record: { ...record, text: `${record.text} Revised since.` },
    vector: rowOf(vectors, (row + 1) % records.length),
  }
}
