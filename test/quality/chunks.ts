/**
 * Vectors of the chunks of long documents, in addition to the document vector of a measuring set. `embed-chunks.ts`
 * makes them, in the folder SCRUBJAY_EVAL_CHUNKS: for a set `NAME.f32`, a row per chunk, and `NAME.json`, the source
 * of each. Without the folder, or without files of a set, `minilm chunks` is skipped.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EmbeddingChunk, embeddingChunks } from '../../src/core/ingest/embedding-text.ts'
import type { VectorChunk } from '../../src/core/model/record.ts'
import type { Document } from './datasets.ts'

/** Index of the document, then the chunk's UTF-16 offsets [from, to) in its text. */
export type ChunkRow = readonly [document: number, from: number, to: number]

export const chunksFolder = process.env['SCRUBJAY_EVAL_CHUNKS'] || null

/** The texts of a document's vectors: the whole, then the chunks of a long one. */
export function chunksOf({ title, text }: Pick<Document, 'title' | 'text'>): readonly EmbeddingChunk[] {
  return embeddingChunks({ title, body: text })
}

/** By document, none for a short one; null where they are missing. Chunks of other texts are an error. */
export function loadChunks(
  name: string,
  documents: readonly Pick<Document, 'title' | 'text'>[],
  dimensions: number,
  folder = chunksFolder,
): readonly (readonly VectorChunk[])[] | null {
  if (folder === null || !existsSync(join(folder, `${name}.json`))) return null
  const rows = documents.flatMap(rowsOf)
  const bytes = readFileSync(join(folder, `${name}.f32`))
  const vectors = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  const isOfThem = readFileSync(join(folder, `${name}.json`), 'utf8') === JSON.stringify(rows)
  if (!isOfThem || vectors.length !== rows.length * dimensions)
    throw new Error(`${name} in ${folder} must belong to these texts and chunks: build it again with embed-chunks.ts`)
  const chunks = documents.map((): VectorChunk[] => [])
  for (const [row, [document, from, to]] of rows.entries()) {
    chunks[document]?.push({ vector: vectors.slice(row * dimensions, (row + 1) * dimensions), from, to })
  }
  return chunks
}

/** For the document at index `i`. */
export function rowsOf(document: Pick<Document, 'title' | 'text'>, i: number): readonly ChunkRow[] {
  return chunksOf(document)
    .slice(1)
    .map(({ from, to }) => [i, from, to])
}
