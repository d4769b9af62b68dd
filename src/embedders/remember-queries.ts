/** Vectors of the last questions: paging, `why` and a live query ask the same text again, and a model is slow. */
import type { Embedder } from '../protocol/embedder.ts'

/** Questions kept: 64 × 384 numbers are 100 kB. */
const kept = 64

/** Embeds a single query once while it is remembered; everything else passes. Each caller gets a vector of its own. */
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
    // Again at the end: the first of the map is the one that was not asked for the longest time.
    vectors.delete(text)
    vectors.set(text, vector)
    if (vectors.size > kept) vectors.delete(vectors.keys().next().value!)
    return [vector.slice()]
  }
}
