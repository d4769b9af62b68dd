/** LRU cache of query vectors. Paging, `why` and live queries embed the same text again, and models are slow. */
import type { Embedder } from '../protocol/embedder.ts'

/** Maximum number of cached queries: 64 × 384 numbers are 100 kB. */
const maxQueries = 64

/** Wraps `embed`, so that calls with a single query use the cache. Each caller gets its own copy of the vector. */
export function rememberQueries(embed: Embedder['embed']): Embedder['embed'] {
  const vectors = new Map<string, Float32Array>()
  return async (texts, role, options) => {
    const [text] = texts
    if (role !== 'query' || texts.length !== 1 || text === undefined) return embed(texts, role, options)
    let vector = vectors.get(text)
    if (vector === undefined) {
      ;[vector] = await embed(texts, role, options)
      if (vector === undefined) return []
    }
    // Insert again at the end: the first entry of the map is the least recently used one.
    vectors.delete(text)
    vectors.set(text, vector)
    if (vectors.size > maxQueries) vectors.delete(vectors.keys().next().value!)
    return [vector.slice()]
  }
}
