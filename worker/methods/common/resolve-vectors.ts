/**
 * Resolves the vectors of parsed records: checks given vectors against the store's space, embeds missing ones in one batch,
 * and keeps the stored ones of unchanged texts. If the embedder fails, the text is stored and its vectors are pending [E2];
 * with `embedderFailure: 'reject'` the put is rejected.
 */
import { type EmbeddingChunk, embeddingChunks } from '../../../src/core/ingest/embedding-text.ts'
import type { ParsedRecord } from '../../../src/core/ingest/parse-record.ts'
import {
  type ExistingRecord,
  isFiltered,
  type Prepared,
  type PreparedRecord,
  pendingVectors,
} from '../../../src/core/ingest/plan-write.ts'
import { vectorsDigest } from '../../../src/core/ingest/vectors-digest.ts'
import { problemOf, RecallError, recallError } from '../../../src/core/model/errors.ts'
import type { VectorChunk } from '../../../src/core/model/record.ts'
import { embedAll, type GuardedEmbedder } from '../../../src/protocol/guarded-embedder.ts'
import type { EmbeddingSpace } from '../../store/port/vectors.ts'
import type { Ports } from './ports.ts'

export type Parsed = ParsedRecord | { readonly rejected: RecallError; readonly id: string }

/** A record whose text must be embedded. */
interface Unembedded {
  readonly record: ParsedRecord
  readonly toEmbed: readonly EmbeddingChunk[]
}

export async function resolveVectors(
  parsed: readonly Parsed[],
  existing: ReadonlyMap<string, ExistingRecord>,
  { store, embedding, options }: Ports,
): Promise<readonly Prepared[]> {
  const space = store.space()
  // The state of each id before its record in the batch: a batch may have an id twice.
  const previous = new Map<string, Pick<ExistingRecord, 'contentHash' | 'vectorsHash'>>(existing)
  const resolved = parsed.map((entry): Prepared | Unembedded => {
    if ('rejected' in entry) return entry
    if (isFiltered(entry)) return withoutVectors(entry, null)
    const next = resolve(entry, previous.get(entry.id), space, embedding !== null)
    if ('toEmbed' in next) previous.set(entry.id, { contentHash: entry.contentHash, vectorsHash: digestOfText(entry) })
    else if ('record' in next && next.vectorsHash !== 'keep')
      previous.set(entry.id, { contentHash: entry.contentHash, vectorsHash: next.vectorsHash })
    return next
  })
  const unembedded = resolved.filter((entry) => 'toEmbed' in entry)
  if (unembedded.length === 0 || embedding === null || space === null) return resolved as readonly Prepared[]
  const { embedderFailure, standIn } = options
  const embedded = await embed(unembedded, embedding, embedderFailure === 'reject', standIn !== undefined)
  return resolved.map((entry) => ('toEmbed' in entry ? embedded.get(entry)! : entry))
}

function resolve(
  record: ParsedRecord,
  previous: Pick<ExistingRecord, 'contentHash' | 'vectorsHash'> | undefined,
  space: EmbeddingSpace | null,
  embeds: boolean,
): Prepared | Unembedded {
  if (record.chunks !== null && record.chunks !== 'pending') return withGivenVectors(record, record.chunks, space)
  const isSame = previous !== undefined && previous.contentHash === record.contentHash
  const hasVectors = isSame && previous.vectorsHash !== null && previous.vectorsHash !== pendingVectors
  if (record.chunks === 'pending') return withoutVectors(record, hasVectors ? 'keep' : pendingVectors)
  if (isSame && (!embeds || hasVectors)) return withoutVectors(record, 'keep')
  if (!embeds || space === null) return withoutVectors(record, null)
  return { record, toEmbed: embeddingChunks(record) }
}

function withoutVectors(record: ParsedRecord, vectorsHash: string | null, why?: string): PreparedRecord {
  return { record, vectors: [], spans: [], vectorsHash, why }
}

/** Embeds all texts. An unusable vector affects only its own record. */
async function embed(
  unembedded: readonly Unembedded[],
  embedding: GuardedEmbedder,
  rejects: boolean,
  isStandIn: boolean,
): Promise<ReadonlyMap<Unembedded, Prepared>> {
  const texts = unembedded.flatMap(({ toEmbed }) => toEmbed.map((chunk) => chunk.text))
  const embedded = await embedAll(embedding, texts)
  if (embedded.kind === 'failed' && rejects) throw embedded.error
  let offset = 0
  return new Map(
    unembedded.map((entry): [Unembedded, Prepared] => {
      const { record, toEmbed } = entry
      if (embedded.kind === 'none') return [entry, withoutVectors(record, null)]
      if (embedded.kind === 'failed') return [entry, withoutVectors(record, pendingVectors, problemOf(embedded.error))]
      const own = embedded.vectors.slice(offset, offset + toEmbed.length)
      offset += toEmbed.length
      const vectors = own.filter((vector) => vector instanceof Float32Array)
      if (vectors.length < own.length) {
        const wrong = own.find((vector) => vector instanceof RecallError)!
        if (rejects) return [entry, { rejected: wrong, id: record.id }]
        return [entry, withoutVectors(record, pendingVectors, problemOf(wrong))]
      }
      const spans = toEmbed.map(({ from, to }) => [from, to] as const)
      return [entry, { record, vectors, spans, vectorsHash: digestOfText(record), isStandIn }]
    }),
  )
}

/** The digest of vectors that are made from the text: they change only with the text. */
function digestOfText(record: ParsedRecord): string {
  return `text:${record.contentHash.slice(0, 16)}`
}

function withGivenVectors(
  record: ParsedRecord,
  chunks: readonly VectorChunk[],
  space: EmbeddingSpace | null,
): Prepared {
  const dimensions = chunks[0]?.vector.length
  if (dimensions !== undefined && space === null) {
    const rejected = recallError('SPACE_MISMATCH', 'must be left out, because the store has no embedding space', {
      field: 'vectors',
      value: chunks[0]?.vector,
      hint: 'Open the store with an embedder, for example precomputed(dimensions, space), or leave vectors out.',
    })
    return { rejected, id: record.id }
  }
  if (dimensions !== undefined && space !== null && dimensions !== space.dimensions)
    return { rejected: wrongDimensions(chunks[0]?.vector, space), id: record.id }
  const vectors = chunks.map((chunk) => chunk.vector)
  return {
    record,
    vectors,
    spans: chunks.map(({ from, to }) => (from === undefined || to === undefined ? null : [from, to])),
    vectorsHash: vectors.length === 0 ? null : vectorsDigest(vectors),
  }
}

function wrongDimensions(vector: Float32Array | undefined, space: EmbeddingSpace): RecallError {
  return recallError('DIMENSION_MISMATCH', `must have ${space.dimensions} dimensions like the space ${space.name}`, {
    field: 'vectors',
    value: vector,
    hint: `Give vectors of ${space.dimensions} dimensions.`,
  })
}
