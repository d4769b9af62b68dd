/**
 * Settles the vectors of parsed records: given ones are checked against the store's space, missing ones are embedded in
 * one batch, and those whose text did not change keep what is stored. Records that fail are rejected one by one (W2).
 */
import { embeddingPieces } from '../../src/core/ingest/embedding-text.ts'
import type { ParsedRecord } from '../../src/core/ingest/parse-record.ts'
import type { ExistingRecord, Prepared, PreparedRecord } from '../../src/core/ingest/plan-write.ts'
import { vectorsDigest } from '../../src/core/ingest/vectors-digest.ts'
import { recallError, type RecallError } from '../../src/core/model/errors.ts'
import type { Ports } from '../ports.ts'
import type { EmbeddingSpace } from '../store/port.ts'

export type Parsed = ParsedRecord | { readonly rejected: RecallError; readonly id: string }

export async function prepare(
  parsed: readonly Parsed[],
  existing: ReadonlyMap<string, ExistingRecord>,
  { store, embedding }: Ports,
): Promise<readonly Prepared[]> {
  const space = store.space()
  const toEmbed: { readonly record: ParsedRecord; readonly pieces: ReturnType<typeof embeddingPieces> }[] = []
  const settled = parsed.map((entry): Prepared | ParsedRecord => {
    if ('rejected' in entry) return entry
    if (entry.pieces !== null) return withGivenVectors(entry, space)
    const stored = existing.get(entry.id)
    if (
      stored !== undefined &&
      stored.contentHash === entry.contentHash &&
      (embedding === null || stored.vectorsHash !== null)
    ) {
      return { record: entry, vectors: [], spans: [], vectorsHash: 'keep' }
    }
    if (embedding === null || space === null) return { record: entry, vectors: [], spans: [], vectorsHash: null }
    toEmbed.push({ record: entry, pieces: embeddingPieces(entry) })
    return entry
  })
  const made = new Map<ParsedRecord, PreparedRecord>()
  if (toEmbed.length > 0 && embedding !== null) {
    const vectors = await embedding.embed(
      toEmbed.flatMap(({ pieces }) => pieces.map((piece) => piece.text)),
      'document',
    )
    let taken = 0
    for (const { record, pieces } of toEmbed) {
      const own = vectors.slice(taken, taken + pieces.length)
      taken += pieces.length
      made.set(record, {
        record,
        vectors: own,
        spans: pieces.map(({ from, to }) => [from, to] as const),
        vectorsHash: `text:${record.contentHash.slice(0, 16)}`,
      })
    }
  }
  return settled.map((entry) => ('id' in entry && 'pieces' in entry ? (made.get(entry) as PreparedRecord) : entry))
}

function withGivenVectors(record: ParsedRecord, space: EmbeddingSpace | null): Prepared {
  const pieces = record.pieces ?? []
  const dimensions = pieces[0]?.vector.length
  if (dimensions !== undefined && space === null) {
    const rejected = recallError('SPACE_MISMATCH', 'the store has no embedding space', {
      field: 'vectors',
      cure: 'Open the store with an embedder, for example precomputed(dimensions, space), or leave vectors out.',
    })
    return { rejected, id: record.id }
  }
  if (dimensions !== undefined && space !== null && dimensions !== space.dimensions) {
    const rejected = recallError(
      'DIMENSION_MISMATCH',
      `has ${dimensions} dimensions, the space ${space.name} has ${space.dimensions}`,
      {
        field: 'vectors',
        cure: `Give vectors of ${space.dimensions} dimensions.`,
      },
    )
    return { rejected, id: record.id }
  }
  const vectors = pieces.map((piece) => piece.vector)
  return {
    record,
    vectors,
    spans: pieces.map(({ from, to }) => (from === undefined || to === undefined ? null : [from, to])),
    vectorsHash: vectors.length === 0 ? null : vectorsDigest(vectors),
  }
}
