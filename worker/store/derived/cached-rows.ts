/**
 * Keeps records and vectors that were read, because the best answers of many questions are the same records. Both are dropped at every
 * commit, so that a forgotten text is not kept.
 */
import type { StoredRecord } from '../../../src/core/model/record.ts'
import type { Store } from '../port/store.ts'
import { createRecentCache } from './recent-cache.ts'

export type CachedRows = Store['cached'] & {
  clear(): void
  bytes(): number
}

/** Limits of each of the two caches. */
export const rowsCache = Object.freeze({ bytes: 8 * 1024 * 1024, entries: 8192 })

export function createCachedRows({ hydrate, vectorsOf }: Pick<Store, 'hydrate' | 'vectorsOf'>): CachedRows {
  const records = createRecentCache<number, StoredRecord>(rowsCache, (_, record) => heapBytes(record))
  const vectors = createRecentCache<number, readonly Float32Array[]>(rowsCache, (_, chunks) =>
    chunks.reduce((sum, chunk) => sum + viewBytes + chunk.byteLength, viewBytes),
  )
  return {
    hydrate(key) {
      const cached = records.get(key)
      if (cached !== undefined) return cached
      const [record] = hydrate([key])
      if (record !== undefined) records.add(key, record)
      return record
    },
    vectorsOf(key) {
      const cached = vectors.get(key)
      if (cached !== undefined) return cached
      const chunks: Float32Array[] = []
      vectorsOf(key, (chunk) => chunks.push(chunk.slice()))
      vectors.add(key, chunks)
      return chunks
    },
    clear() {
      records.clear()
      vectors.clear()
    },
    bytes: () => records.bytes() + vectors.bytes(),
  }
}

/** Bytes of a view and its buffer besides its contents, in V8. */
const viewBytes = 190

/** About what a value takes in V8. Names of fields are shared by all records. */
function heapBytes(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce((sum: number, part) => sum + 8 + heapBytes(part), 48)
}
