/**
 * Adapts Voy: a k-d tree in WebAssembly. Its entry imports WebAssembly as a module, which browsers do not support; so
 * it is set up by hand.
 */
import * as bindings from 'voy-search/voy_search_bg.js'
import wasmUrl from 'voy-search/voy_search_bg.wasm?url'
import { type Records, rowOf } from '../load-collection.ts'
import type { Changed, Peer } from './peer.ts'
import { foundRows, vectorOf } from './vector-peer.ts'

/** Few enough that the plain arrays Voy requires do not pile up. */
const addBatch = 1000

export async function createVoy(records: Records): Promise<Peer> {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(wasmUrl), { './voy_search_bg.js': { ...bindings } })
  bindings.__wbg_set_wasm(instance.exports)
  const current = new Map<number, Float32Array>()
  const embeddingOf = (row: number, vector: Float32Array) => ({
    id: String(row),
    title: '',
    url: '',
    embeddings: Array.from(vector),
  })
  const batchOf = (from: number, to: number) => ({
    embeddings: Array.from({ length: to - from }, (_, i) => embeddingOf(from + i, rowOf(records.vectors, from + i))),
  })
  const { length } = records.records
  const index = new bindings.Voy(batchOf(0, Math.min(addBatch, length)))
  for (let from = addBatch; from < length; from += addBatch) index.add(batchOf(from, Math.min(from + addBatch, length)))
  // Voy finds the entry to remove by id and vector.
  const knownOf = ({ row }: Changed) => embeddingOf(row, current.get(row) ?? rowOf(records.vectors, row))
  return {
    search(ask) {
      const { neighbors } = index.search(vectorOf(ask, 'Voy'), 10)
      return foundRows(
        records,
        neighbors.map(({ id }) => Number(id)),
      )
    },
    update(changed) {
      index.remove({ embeddings: changed.map(knownOf) })
      index.add({ embeddings: changed.map(({ row, vector }) => embeddingOf(row, vector)) })
      for (const { row, vector } of changed) current.set(row, vector)
    },
    remove(rows) {
      index.remove({ embeddings: rows.map(knownOf) })
    },
    wasmBytes: () => (instance.exports.memory as WebAssembly.Memory).buffer.byteLength,
  }
}
