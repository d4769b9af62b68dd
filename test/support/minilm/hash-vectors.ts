/** One hash over the vectors of many texts, in the order of the texts. Runs in pages, too. */
import { sha256HexOfBytes } from '../../../src/core/text/hash/sha256.ts'

export interface HashedVectors {
  /** Of all vectors together. */
  readonly all: string
  /** Of each, the first 8 digits. */
  readonly each: readonly string[]
}

export function hashVectors(vectors: readonly Float32Array[]): HashedVectors {
  const each = vectors.map(({ buffer, byteOffset, byteLength }) =>
    sha256HexOfBytes(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)),
  )
  const all = sha256HexOfBytes(new TextEncoder().encode(each.join(' ')))
  return { all, each: each.map((hash) => hash.slice(0, 8)) }
}
