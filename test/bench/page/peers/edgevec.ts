/**
 * Adapts EdgeVec's graph with squared distances: of unit vectors the order is that of the cosine, and its own cosine
 * is inverted. It reads `ef` only when it is built.
 */
import init, { EdgeVec, EdgeVecConfig } from 'edgevec'
import { dimensions, type Records, rowOf } from '../load-collection.ts'
import { efs } from '../peer-table.ts'
import type { Peer } from './peer.ts'
import { foundRows, vectorOf } from './vector-peer.ts'

export async function createEdgeVec(records: Records): Promise<Peer> {
  const { memory } = await init()
  const rowByLabel = new Map<number, number>()
  const labelByRow = new Map<number, number>()
  let index = build(efs[0])
  const insert = (row: number, vector: Float32Array) => {
    const label = index.insert(vector)
    rowByLabel.set(label, row)
    labelByRow.set(row, label)
  }
  const remove = (row: number) => {
    const label = labelByRow.get(row)
    if (label === undefined || !index.softDelete(label)) throw new Error(`EdgeVec does not know row ${row}`)
    rowByLabel.delete(label)
  }
  const insertAll = () => {
    for (let row = 0; row < records.records.length; row++) insert(row, rowOf(records.vectors, row))
  }
  insertAll()
  return {
    search(ask) {
      const hits = index.search(vectorOf(ask, 'EdgeVec'), 10)
      return foundRows(
        records,
        hits.flatMap(({ id }) => rowByLabel.get(id) ?? []),
      )
    },
    update(changed) {
      for (const { row, vector } of changed) {
        remove(row)
        insert(row, vector)
      }
    },
    remove(rows) {
      for (const { row } of rows) remove(row)
    },
    setEf(ef) {
      index.free()
      rowByLabel.clear()
      index = build(ef)
      insertAll()
    },
    wasmBytes: () => memory.buffer.byteLength,
  }
}

function build(ef: number): EdgeVec {
  const config = new EdgeVecConfig(dimensions)
  config.metric = 'l2'
  config.ef_search = ef
  return new EdgeVec(config)
}
