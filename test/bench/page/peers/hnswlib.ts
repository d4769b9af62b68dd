/** Adapts hnswlib-wasm alone: a graph over the vectors, with the records in an array. Inner product of unit vectors. */
import { loadHnswlib } from 'hnswlib-wasm'
import { dimensions, type Records, rowOf } from '../load-collection.ts'
import { efs } from '../peer-table.ts'
import type { Peer } from './peer.ts'
import { foundRows, rowsByTag, vectorOf } from './vector-peer.ts'

const links = 16
const efConstruction = 200
const seed = 100
/** Capacity beyond the first records: a full index refuses even to replace a vector. */
const slack = 1000

export async function createHnswlib(records: Records): Promise<Peer> {
  const library = await loadHnswlib()
  const index = new library.HierarchicalNSW('ip', dimensions, '')
  index.initIndex(records.records.length + slack, links, efConstruction, seed)
  for (let row = 0; row < records.records.length; row++) index.addPoint(rowOf(records.vectors, row), row, false)
  index.setEfSearch(efs[0])
  const members = rowsByTag(records)
  return {
    search(ask) {
      const scope = ask.tag === null ? undefined : (members.get(ask.tag) ?? new Set<number>())
      const filter = scope && ((row: number) => scope.has(row))
      return foundRows(records, index.searchKnn(vectorOf(ask, 'hnswlib'), 10, filter).neighbors)
    },
    update(changed) {
      for (const { row, vector } of changed) index.addPoint(vector, row, false)
    },
    remove(rows) {
      for (const { row } of rows) index.markDelete(row)
    },
    setEf: (ef) => index.setEfSearch(ef),
    wasmBytes: () => library.HEAP8?.byteLength ?? 0,
  }
}
