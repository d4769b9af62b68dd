/**
 * embedNext, attachVectors: give records without vectors of the current space their vectors, one batch at a time. Progress is not
 * stored: the rows show which vectors are missing, so re-embedding can continue after any interruption. Until then, such
 * records are found by words alone.
 */
import { embeddingChunks } from '../../../src/core/ingest/embedding-text.ts'
import { parseVectors } from '../../../src/core/ingest/parse-vectors.ts'
import { vectorsDigest } from '../../../src/core/ingest/vectors-digest.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import { isPlainObject } from '../../../src/core/model/plain-object.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { type Made, madeOf } from '../../../src/protocol/catch-up.ts'
import type { AttachRequest, EmbedNextAnswer, EmbedNextRequest, Unembedded } from '../../../src/protocol/engine-api.ts'
import { embedAll } from '../../../src/protocol/guarded-embedder.ts'
import type { EmbeddingSpace, NewVectors, UnembeddedRow } from '../../store/port/vectors.ts'
import { afterCommit } from '../common/after-commit.ts'
import { inSteps } from '../common/in-steps.ts'
import { isOfOtherLanguage } from '../common/other-language.ts'
import type { Ports } from '../common/ports.ts'

/** Records per step: about a hundred texts, which the built-in embedder embeds in well under a second. */
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
  const which = !pending ? 'lacking' : ports.options.standIn === undefined ? 'pending' : 'standIn'
  const rows = store.unembedded(after, limit, which)
  const others = byCaller ? rows.filter((row) => !isForEmbedder(ports, row)) : []
  if (others.length > 0) {
    await keepStandIn(ports, others)
    // The caller ends at a step without records.
    if (others.length === rows.length) return embedNext(ports, { ...request, after: rows.at(-1)!.key, total }, signal)
  }
  const records = rows.filter((row) => !others.includes(row)).map(unembedded)
  const step = { ...answer, after: rows.at(-1)?.key ?? after, isLast: rows.length < limit, total }
  if (byCaller) return { ...step, records }
  if (embedding === null || rows.length === 0) return { ...step, isLast: true }
  const texts = records.flatMap(({ chunks }) => chunks.map(({ text }) => text))
  // The caller requested it explicitly, so an embedder that failed before is tried again.
  const vectors = await embedAll(embedding, texts, { insist: true, signal })
  if (vectors.kind === 'none') return { ...step, isLast: true }
  if (vectors.kind === 'failed') throw vectors.error
  const complete = madeOf(records, vectors.vectors, (error) => {
    throw error
  })
  const embedded = await attachMade(ports, complete, signal)
  ports.emit({ type: 'progress', operation: 'reembed', done: done + embedded, total: Math.max(total, done + embedded) })
  return { ...step, embedded, revision: store.revision() }
}

/** Stores vectors that the caller made. Returns the number of updated records. One invalid vector rejects the whole call. */
export async function attachVectors(
  ports: Ports,
  { records, done, total }: AttachRequest,
  signal: AbortSignal | undefined,
): Promise<number> {
  const space = ports.store.space()
  if (space === null)
    throw recallError('SPACE_MISMATCH', 'must be left out, because the store has no embedding space', {
      field: 'vectors',
      hint: 'Open the store with an embedder.',
    })
  if (!Array.isArray(records) || records.length > tuning.maxPutBatch) throw noRecords(records)
  const newVectors = Array.from(records as readonly unknown[], (record): NewVectors => {
    if (!isPlainObject(record)) throw noRecords(record)
    const { id, contentHash, vectors } = record
    if (typeof id !== 'string' || typeof contentHash !== 'string') throw noRecords(record)
    const chunks = parseVectors(vectors)
    const all = chunks.map(({ vector }) => checked(vector, space))
    const spans = chunks.map(({ from, to }) => (from === undefined || to === undefined ? null : ([from, to] as const)))
    return { id, contentHash, vectors: all, spans, vectorsHash: vectorsDigest(all) }
  })
  const embedded = await attach(ports, newVectors, signal)
  ports.emit({ type: 'progress', operation: 'reembed', done: done + embedded, total: Math.max(total, done + embedded) })
  return embedded
}

function attach(
  ports: Ports,
  newVectors: readonly NewVectors[],
  signal: AbortSignal | undefined,
  as: 'own' | 'standIn' = 'own',
): Promise<number> {
  return ports.writeQueue.write(async () => {
    const committed = await inSteps(ports, ports.store.attachVectors(newVectors, as), { signal })
    await afterCommit(ports, committed)
    return committed.changed.length
  }, signal)
}

/** Stores vectors of the engine's own embedder. Returns the number of updated records. */
export function attachMade(ports: Ports, made: readonly Made[], signal?: AbortSignal): Promise<number> {
  const newVectors = made.map(
    ({ record: { id, contentHash, chunks }, vectors }): NewVectors => ({
      id,
      contentHash,
      vectors,
      spans: chunks.map(({ from, to }) => [from, to] as const),
      // The same digest as in resolve-vectors.ts.
      vectorsHash: `text:${contentHash.slice(0, 16)}`,
    }),
  )
  return attach(ports, newVectors, signal, ports.options.standIn === undefined ? 'own' : 'standIn')
}

/** The next pending records, for the catch-up. */
export function nextPending({ store }: Ports, after: number, limit: number) {
  const rows = store.unembedded(after, limit, 'pending')
  return { records: rows.map(unembedded), after: rows.at(-1)?.key ?? after }
}

/** Whether the page's embedder is for the text, or the vectors of the built-in one stay. */
function isForEmbedder({ options: { standIn }, store }: Ports, row: UnembeddedRow): boolean {
  if (standIn !== 'english') return true
  const text = [row.title, row.summary, row.body, row.instruction, row.command].join('\n')
  return !isOfOtherLanguage(store, text)
}

function keepStandIn(ports: Ports, rows: readonly UnembeddedRow[]): Promise<void> {
  return ports.writeQueue.write(async () => afterCommit(ports, await inSteps(ports, ports.store.keepStandIn(rows), {})))
}

function unembedded(row: UnembeddedRow): Unembedded {
  return { id: row.id, contentHash: row.contentHash, chunks: embeddingChunks(row) }
}

/** Throws for an unusable vector: it would corrupt the whole index [V4]. */
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
