/**
 * embedNext, attachVectors: records that lack vectors of the current space get them, a batch at a time. Nothing is noted of
 * how far it came: what is missing is seen from the rows, so it goes on after any end. Meanwhile words alone find them.
 */
import { embeddingPieces } from '../../../src/core/ingest/embedding-text.ts'
import { parseVectors } from '../../../src/core/ingest/parse-vectors.ts'
import { vectorsDigest } from '../../../src/core/ingest/vectors-digest.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import { isPlainObject } from '../../../src/core/model/plain-object.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { type Made, madeOf } from '../../../src/protocol/catch-up.ts'
import type { AttachRequest, EmbedNextAnswer, EmbedNextRequest, Unembedded } from '../../../src/protocol/engine-api.ts'
import { embedAll } from '../../../src/protocol/guarded-embedder.ts'
import type { NewVectors, UnembeddedRow } from '../../store/rows/embed-rows.ts'
import type { EmbeddingSpace } from '../../store/rows/vector-rows.ts'
import { settle } from '../common/after-commit.ts'
import { inSteps } from '../common/in-steps.ts'
import type { Ports } from '../common/ports.ts'

/** Records of one step: some hundred texts, embedded well within a second by the built-in embedder. */
const batchRecords = 64

export async function embedNext(
  ports: Ports,
  request: EmbedNextRequest,
  signal: AbortSignal | undefined,
): Promise<EmbedNextAnswer> {
  const { store, embedding } = ports
  const { after, done, byCaller, pending = false } = request
  const limit = Math.min(request.limit ?? batchRecords, batchRecords)
  const space = store.space()
  const answer = { after, isLast: true, total: 0, embedded: 0, records: [], revision: store.revision() }
  if (space === null) return answer
  const count = () => (pending ? store.pendingVectors() : store.countUnembedded())
  const total = after === 0 ? count() : request.total
  const rows = store.unembedded(after, limit, pending)
  const records = rows.map(unembedded)
  const step = { ...answer, after: rows.at(-1)?.key ?? after, isLast: rows.length < limit, total }
  if (byCaller) return { ...step, records }
  if (embedding === null || rows.length === 0) return { ...step, isLast: true }
  const texts = records.flatMap(({ pieces }) => pieces.map(({ text }) => text))
  // Asked for by name: an embedder that failed before is tried again.
  const made = await embedAll(embedding, texts, { insist: true, signal })
  if (made.kind === 'none') return { ...step, isLast: true }
  if (made.kind === 'failed') throw made.error
  const whole = madeOf(records, made.vectors, (error) => {
    throw error
  })
  const embedded = await attachMade(ports, whole, signal)
  ports.emit({ type: 'progress', operation: 'reembed', done: done + embedded, total: Math.max(total, done + embedded) })
  return { ...step, embedded, revision: store.revision() }
}

/** Answers how many were taken. Refuses all of them for one wrong vector. */
export async function attachVectors(
  ports: Ports,
  { records, done, total }: AttachRequest,
  signal: AbortSignal | undefined,
): Promise<number> {
  const space = ports.store.space()
  if (space === null)
    throw recallError('SPACE_MISMATCH', 'must be left out, because the store has no embedding space', {
      field: 'vectors',
    })
  if (!Array.isArray(records) || records.length > tuning.maxPutBatch) throw noRecords(records)
  const given = Array.from(records as readonly unknown[], (record): NewVectors => {
    if (!isPlainObject(record)) throw noRecords(record)
    const { id, contentHash, vectors } = record
    if (typeof id !== 'string' || typeof contentHash !== 'string') throw noRecords(record)
    const pieces = parseVectors(vectors)
    const all = pieces.map(({ vector }) => checked(vector, space))
    const spans = pieces.map(({ from, to }) => (from === undefined || to === undefined ? null : ([from, to] as const)))
    return { id, contentHash, vectors: all, spans, vectorsHash: vectorsDigest(all) }
  })
  const embedded = await attach(ports, given, signal)
  ports.emit({ type: 'progress', operation: 'reembed', done: done + embedded, total: Math.max(total, done + embedded) })
  return embedded
}

function attach(ports: Ports, given: readonly NewVectors[], signal: AbortSignal | undefined): Promise<number> {
  return ports.writeQueue.write(async () => {
    const committed = await inSteps(ports, ports.store.attachVectors(given), { signal })
    await settle(ports, committed)
    return committed.changed.length
  }, signal)
}

/** Vectors of the engine's own embedder; answers how many records took theirs. */
export function attachMade(ports: Ports, made: readonly Made[], signal?: AbortSignal): Promise<number> {
  const given = made.map(
    ({ record: { id, contentHash, pieces }, vectors }): NewVectors => ({
      id,
      contentHash,
      vectors,
      spans: pieces.map(({ from, to }) => [from, to] as const),
      // As `prepare` says of vectors made from the text.
      vectorsHash: `text:${contentHash.slice(0, 16)}`,
    }),
  )
  return attach(ports, given, signal)
}

/** The next records that wait for vectors, as the catch-up asks for them. */
export function nextPending({ store }: Ports, after: number, limit: number) {
  const rows = store.unembedded(after, limit, true)
  return { records: rows.map(unembedded), after: rows.at(-1)?.key ?? after }
}

function unembedded(row: UnembeddedRow): Unembedded {
  return { id: row.id, contentHash: row.contentHash, pieces: embeddingPieces(row) }
}

/** One that is no use would spoil the whole index [V4]. */
function checked(vector: Float32Array | undefined, space: EmbeddingSpace): Float32Array {
  if (vector?.length === space.dimensions && vector.every(Number.isFinite)) return vector
  throw recallError(
    'DIMENSION_MISMATCH',
    `must be ${space.dimensions} finite numbers like the vectors of ${space.name}`,
    {
      field: 'vectors',
      value: vector,
      hint: 'Check the embedder.',
    },
  )
}

function noRecords(value: unknown) {
  return recallError('INVALID_ARGUMENT', 'must be objects of the form { id, contentHash, vectors }', {
    field: 'records',
    value,
    hint: 'Give the records that embedNext returned.',
  })
}
