/** Packs new vectors of stored records into one buffer, which is transferred to the engine. */
import type { Made } from '../../protocol/catch-up.ts'
import type { AttachRequest } from '../../protocol/engine-api.ts'

export interface PackedMade {
  readonly records: AttachRequest['records']
  readonly transfer: readonly ArrayBuffer[]
}

/** Copies the vectors, because cloning a view would clone its whole buffer. */
export function packMade(made: readonly Made[], dimensions: number): PackedMade {
  const all = new Float32Array(made.reduce((sum, { vectors }) => sum + vectors.length, 0) * dimensions)
  let used = 0
  const records = made.map(({ record: { id, contentHash, chunks }, vectors }) => ({
    id,
    contentHash,
    vectors: chunks.map(({ from, to }, i) => {
      const at = used++ * dimensions
      all.set(vectors[i]!, at)
      return { vector: all.subarray(at, at + dimensions), from, to }
    }),
  }))
  return { records, transfer: [all.buffer] }
}
