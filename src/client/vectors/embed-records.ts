/**
 * Makes the vectors of records and queries with the app's own embedder, before they are sent to the engine's thread. A record with
 * invalid text is sent without vectors, and the engine refuses it. If the embedder fails, records are sent as pending, and
 * queries use only their words [E2].
 */

import { embeddingChunks } from '../../core/ingest/embedding-text.ts'
import type { AssembleRequest } from '../../core/model/assemble.ts'
import { problemOf, RecallError } from '../../core/model/errors.ts'
import type { RecallQuery } from '../../core/model/query.ts'
import type { PutReceipt } from '../../core/model/receipts.ts'
import {
  type ContentField,
  contentFields,
  type RecordInput,
  type StoredRecord,
  type VectorChunk,
} from '../../core/model/record.ts'
import { tuning } from '../../core/model/tuning.ts'
import { withoutHeldBack } from '../../core/query/read-signs.ts'
import { builtInSpace, type Embedder } from '../../protocol/embedder.ts'
import { embedAll, type GuardedEmbedder, guardEmbedder } from '../../protocol/guarded-embedder.ts'
import type { Timers } from '../../protocol/timers.ts'

/** The app's embedder as this client calls it. */
export interface PageEmbedder extends GuardedEmbedder {
  readonly dimensions: number
  /** True: a record is refused if its vectors cannot be made. */
  readonly rejects: boolean
  /** True: records are sent without vectors, which are made in the background. */
  readonly isLater: boolean
}

export function openPageEmbedder(embedder: Embedder, rejects: boolean, timers?: Timers): PageEmbedder {
  const { dimensions, inBackground, timeoutMs: deadlineMs = tuning.embedMs } = embedder
  const isLater = inBackground !== undefined && dimensions !== builtInSpace.dimensions
  // Called as a method: an embedder may be an instance of a class.
  const embed: Embedder['embed'] = (...call) => embedder.embed(...call)
  return {
    ...guardEmbedder({ space: embedder.space, dimensions, embed }, { deadlineMs, timers }),
    dimensions,
    rejects,
    isLater,
  }
}

export interface EmbeddedRecords {
  readonly records: readonly RecordInput[]
  /** Why a record has no vectors, by its index in the batch. */
  readonly whys: ReadonlyMap<number, string>
}

/** Adds `vectors` to records that have none. Rejects with the embedder's error if `rejects` is true. */
export async function embedRecords(
  records: readonly RecordInput[],
  embedder: PageEmbedder,
  signal: AbortSignal,
): Promise<EmbeddedRecords> {
  const whys = new Map<number, string>()
  if (embedder.isLater) return { records, whys }
  const chunks = records.map(chunksToEmbed)
  const texts = chunks.flat().map(({ text }) => text)
  const embedded = await embedAll(embedder, texts, { signal })
  if (embedded.kind === 'none') return { records, whys }
  let next = 0
  const filled = records.map((record, i) => {
    const own = chunks[i]!
    if (own.length === 0) return record
    const made = embedded.kind === 'failed' ? [embedded.error] : embedded.vectors.slice(next, next + own.length)
    next += own.length
    const wrong = made.find((vector) => vector instanceof RecallError)
    if (wrong === undefined) {
      const chunks = own.map(({ from, to }, at): VectorChunk => ({ vector: made[at] as Float32Array, from, to }))
      return { ...record, vectors: chunks }
    }
    if (embedder.rejects) throw wrong
    whys.set(i, problemOf(wrong))
    return { ...record, vectors: 'pending' as const }
  })
  return { records: filled, whys }
}

/** Returns the receipt with the reasons for missing vectors, which only the page knows. */
export function withReasons(receipt: PutReceipt, whys: EmbeddedRecords['whys']): PutReceipt {
  if (whys.size === 0) return receipt
  const records = receipt.records.map((outcome, i) => {
    const why = whys.get(i)
    return why === undefined || outcome.vectors !== 'pending' ? outcome : { ...outcome, why }
  })
  return { ...receipt, records }
}

/**
 * Returns the fields of a patch. If the patch changes the text and has no vectors, adds the vectors of the new text. `read` returns the
 * stored record.
 */
export async function embedPatch(
  fields: Partial<RecordInput>,
  read: () => Promise<StoredRecord | undefined>,
  embedder: PageEmbedder,
  signal: AbortSignal,
): Promise<{ readonly fields: Partial<RecordInput>; readonly whys: EmbeddedRecords['whys'] }> {
  const unchanged = { fields, whys: new Map<number, string>() }
  if (embedder.isLater || !isReadable(fields)) return unchanged
  if (fields?.vectors !== undefined || !contentFields.some((field) => fields?.[field] !== undefined)) return unchanged
  const stored = await read()
  if (stored === undefined) return unchanged
  const text = Object.fromEntries(
    contentFields.map((field) => [field, fields[field] === undefined ? stored[field] : fields[field]]),
  )
  const { records, whys } = await embedRecords([text], embedder, signal)
  const vectors = records[0]?.vectors
  return vectors === undefined ? unchanged : { fields: { ...fields, vectors }, whys }
}

type EmbeddableQuery = RecallQuery & Pick<AssembleRequest, 'cues'>

/** A query, and the reason if its text could not be embedded. */
export interface EmbeddedQuery {
  readonly query: RecallQuery
  readonly withoutVector?: string | undefined
}

/** Adds a vector of the app's embedder to a query that has text or cues, and no vector. Text and cues are embedded together. */
export async function embedQuery(
  query: EmbeddableQuery,
  embedder: PageEmbedder,
  signal: () => AbortSignal,
): Promise<EmbeddedQuery> {
  if (!isReadable(query) || query?.vector !== undefined) return { query }
  const texts = [query?.text ?? [], Object.values(query?.cues ?? {})].flat()
  // The engine refuses other types than text.
  if (!texts.every((part) => typeof part === 'string')) return { query }
  const text = withoutHeldBack(texts.join('\n'))
  if (text.trim() === '') return { query }
  const embedded = await embedder.embed([text], 'query', { signal: signal() })
  if (embedded.kind === 'failed') return { query, withoutVector: problemOf(embedded.error) }
  const vector = embedded.kind === 'none' ? undefined : embedded.vectors[0]
  return vector instanceof Float32Array ? { query: { ...query, vector } } : { query }
}

function chunksToEmbed(record: RecordInput) {
  if (typeof record !== 'object' || record === null || !isReadable(record) || record.vectors !== undefined) return []
  const isText = contentFields.every((field: ContentField) => isTextOrAbsent(record[field]))
  return isText ? embeddingChunks(record).filter((chunk) => chunk.text.trim() !== '') : []
}

/** False if a getter of the caller throws. Sending it then fails with an error that names the field. */
function isReadable(input: object): boolean {
  try {
    void { ...input }
    return true
  } catch {
    return false
  }
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string'
}
