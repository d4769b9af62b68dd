/** Exact indexes of random vectors. */
import { emptyIndex, fill, nastyVectors, plainRecords, plainVector, seeded } from './vector-fixture.ts'

/** Two blocks and a few more records, some with several chunks. */
export const bigIndex = (() => {
  const random = seeded(46)
  const records = plainRecords(random, 9_000, 40)
  const index = emptyIndex(40)
  fill(index, records)
  return { records, index, queries: [plainVector(random, 40), plainVector(random, 40)] }
})()

/** Records and queries of which some are extreme and some duplicated. */
export function mixedIndex(seed: number, dimensions: number, count: number) {
  const random = seeded(seed)
  const records: Map<number, Float32Array[]> = plainRecords(random, count, dimensions)
  const queries = [
    ...Array.from({ length: 16 }, () => plainVector(random, dimensions)),
    ...nastyVectors(random, dimensions),
  ]
  for (const vector of nastyVectors(random, dimensions)) records.set(records.size + 1, [vector])
  for (const vector of queries) records.set(records.size + 1, [plainVector(random, dimensions), vector])
  for (let key = 1; key <= 5; key++) records.set(records.size + 1, records.get(key)!)
  const index = emptyIndex(dimensions)
  fill(index, records)
  return { records, queries, index, keys: Uint32Array.from(records.keys()) }
}
