/**
 * Names the embedding space of apps that give their own vectors with records and queries. It makes no vectors: records and queries
 * without vectors are accepted and use only their words.
 */
import { recallError } from '../core/model/errors.ts'
import { tuning } from '../core/model/tuning.ts'
import type { Embedder } from '../protocol/embedder.ts'

/** Returns an embedder that makes no vectors. Throws `INVALID_CONFIG` if `dimensions` is not from 1 to 4096 or `space` is blank. */
export function precomputed(dimensions: number, space: string): Embedder {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > tuning.maxDimensions) {
    throw recallError('INVALID_CONFIG', `must be an integer from 1 to ${tuning.maxDimensions}`, {
      field: 'dimensions',
      value: dimensions,
      hint: 'Give the length of the vectors.',
    })
  }
  if (typeof space !== 'string' || space.trim() === '') {
    throw recallError('INVALID_CONFIG', 'must have a character that is not a space', {
      field: 'space',
      value: space,
      hint: 'Give the name of the model that made the vectors.',
    })
  }
  return { space, dimensions, makesVectors: false, embed: async () => [] }
}
