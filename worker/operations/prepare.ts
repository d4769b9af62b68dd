/**
 * Settles the vectors of parsed records: given ones are checked against the store's space, missing ones are embedded in
 * one batch, and those whose text did not change keep what is stored. Records that fail are rejected one by one (W2).
 */
import { type EmbeddingPiece, embeddingPieces } from '../../src/core/ingest/embedding-text.ts'
import type { ParsedRecord } from '../../src/core/ingest/parse-record.ts'
import {
  type ExistingRecord,
  isFiltered,
  type Prepared,
  type PreparedRecord,
} from '../../src/core/ingest/plan-write.ts'
import { vectorsDigest } from '../../src/core/ingest/vectors-digest.ts'
import { recallError, type RecallError } from '../../src/core/model/errors.ts'
import type { EmbeddingPort } from '../../src/protocol/engine-options.ts'
import type { Ports } from '../ports.ts'
import type { EmbeddingSpace } from '../store/vector-rows.ts'

export type Parsed = ParsedRecord | { readonly rejected: RecallError; readonly id: string }

/** A record whose text the embedder is to read. */
interface Unembedded {
  readonly record: ParsedRecord
  readonly toEmbed: readonly EmbeddingPiece[]
}

export async function prepare(
  parsed: readonly Parsed[],
  existing: ReadonlyMap<string, ExistingRecord>,
  { store, embedding }: Ports,
): Promise<readonly Prepared[]> {
  const space = store.space()
  // What an id holds when its turn within the batch comes: the same id may stand in it twice.
  const held = new Map<string, Pick<ExistingRecord, 'contentHash' | 'vectorsHash'>>(existing)
  const settled = parsed.map((entry): Prepared | Unembedded => {
    if ('rejected' in entry) return entry
    if (isFiltered(entry)) return withoutVectors(entry, null)
    const next = settle(entry, held.get(entry.id), space, embedding !== null)
    if ('toEmbed' in next) held.set(entry.id, { contentHash: entry.contentHash, vectorsHash: digestOfText(entry) })
    else if ('record' in next && next.vectorsHash !== 'keep')
      held.set(entry.id, { contentHash: entry.contentHash, vectorsHash: next.vectorsHash })
    return next
  })
  const unembedded = settled.filter((entry) => 'toEmbed' in entry)
  if (unembedded.length === 0 || embedding === null || space === null) return settled as readonly Prepared[]
  const made = await embed(unembedded, embedding, space)
  return settled.map((entry) => ('toEmbed' in entry ? (made.get(entry) as Prepared) : entry))
}

function settle(
  record: ParsedRecord,
  held: Pick<ExistingRecord, 'contentHash' | 'vectorsHash'> | undefined,
  space: EmbeddingSpace | null,
  embeds: boolean,
): Prepared | Unembedded {
  if (record.pieces !== null) return withGivenVectors(record, space)
  if (held !== undefined && held.contentHash === record.contentHash && (!embeds || held.vectorsHash !== null))
    return withoutVectors(record, 'keep')
  if (!embeds || space === null) return withoutVectors(record, null)
  return { record, toEmbed: embeddingPieces(record) }
}

function withoutVectors(record: ParsedRecord, vectorsHash: 'keep' | null): PreparedRecord {
  return { record, vectors: [], spans: [], vectorsHash }
}

/** The vectors of all texts in one call; a record whose vectors are of no use is rejected, the others go on. */
async function embed(
  unembedded: readonly Unembedded[],
  embedding: EmbeddingPort,
  space: EmbeddingSpace,
): Promise<ReadonlyMap<Unembedded, Prepared>> {
  const texts = unembedded.flatMap(({ toEmbed }) => toEmbed.map((piece) => piece.text))
  const vectors = await embedding.embed(texts, 'document')
  let taken = 0
  return new Map(
    unembedded.map((entry): [Unembedded, Prepared] => {
      const { record, toEmbed } = entry
      const own = vectors.slice(taken, taken + toEmbed.length)
      taken += toEmbed.length
      const rejected = refusalOf(own, space)
      if (rejected !== null) return [entry, { rejected, id: record.id }]
      const spans = toEmbed.map(({ from, to }) => [from, to] as const)
      return [entry, { record, vectors: own, spans, vectorsHash: digestOfText(record) }]
    }),
  )
}

/** Why vectors an embedder made cannot be stored, or null: written all the same, they would spoil the whole index (V4). */
function refusalOf(vectors: readonly Float32Array[], space: EmbeddingSpace): RecallError | null {
  for (const vector of vectors) {
    if (vector.length !== space.dimensions) return wrongDimensions(vector, space)
    if (!vector.every(Number.isFinite)) {
      return recallError('INVALID_RECORD', 'the embedder made a vector that is not finite', {
        field: 'vectors',
        cure: 'Check the embedder.',
      })
    }
  }
  return null
}

/** Vectors made from the text change with the text alone. */
function digestOfText(record: ParsedRecord): string {
  return `text:${record.contentHash.slice(0, 16)}`
}

function withGivenVectors(record: ParsedRecord, space: EmbeddingSpace | null): Prepared {
  const pieces = record.pieces ?? []
  const dimensions = pieces[0]?.vector.length
  if (dimensions !== undefined && space === null) {
    const rejected = recallError('SPACE_MISMATCH', 'the store has no embedding space', {
      field: 'vectors',
      value: record.pieces?.[0]?.vector,
      cure: 'Open the store with an embedder, for example precomputed(dimensions, space), or leave vectors out.',
    })
    return { rejected, id: record.id }
  }
  if (dimensions !== undefined && space !== null && dimensions !== space.dimensions)
    return { rejected: wrongDimensions(pieces[0]?.vector, space), id: record.id }
  const vectors = pieces.map((piece) => piece.vector)
  return {
    record,
    vectors,
    spans: pieces.map(({ from, to }) => (from === undefined || to === undefined ? null : [from, to])),
    vectorsHash: vectors.length === 0 ? null : vectorsDigest(vectors),
  }
}

function wrongDimensions(vector: Float32Array | undefined, space: EmbeddingSpace): RecallError {
  return recallError(
    'DIMENSION_MISMATCH',
    `has ${vector?.length} dimensions, the space ${space.name} has ${space.dimensions}`,
    { field: 'vectors', value: vector, cure: `Give vectors of ${space.dimensions} dimensions.` },
  )
}
