/** Types of stored vectors, and of records that lack them. */
import type { StoredRecord } from '../../../src/core/model/record.ts'

export interface EmbeddingSpace {
  readonly name: string
  readonly dimensions: number
}

/** The fields of a record that embedding needs. */
export interface UnembeddedRow extends Pick<StoredRecord, 'title' | 'summary' | 'body' | 'instruction' | 'command'> {
  readonly key: number
  readonly id: string
  readonly contentHash: string
}

export interface NewVectors {
  readonly id: string
  /** The content hash of the text from which the vectors were computed. */
  readonly contentHash: string
  readonly vectors: readonly Float32Array[]
  readonly spans: readonly (readonly [number, number] | null)[]
  readonly vectorsHash: string
}

/** Records without vectors of the space: all that may get some, those without any yet, or those with stand-in vectors. */
export type LackingKind = 'lacking' | 'pending' | 'standIn'

export interface LackingCounts {
  /** Records whose vectors could not be computed yet, with those with stand-in vectors. */
  readonly pending: number
  /** Records whose vectors of another space stay, because the embedder of the space is not for their text. */
  readonly kept: number
  /** Records that have only vectors of other spaces. */
  readonly otherSpaces: number
  /** Records that never had vectors. */
  readonly none: number
}
