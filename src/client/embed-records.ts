/**
 * Lets the app's own embedder make the vectors of records, in batches, and of queries, before they are sent: it cannot
 * cross the boundary. A record whose text cannot be read goes without, for the engine to refuse.
 */
import { recallError } from '../core/model/errors.ts'
import type { AssembleRequest } from '../core/model/assemble.ts'
import type { RecallQuery } from '../core/model/query.ts'
import {
  type ContentField,
  contentFields,
  type RecordInput,
  type StoredRecord,
  type VectorChunk,
} from '../core/model/record.ts'
import { embeddingPieces } from '../core/ingest/embedding-text.ts'
import type { Embedder } from '../protocol/embedder.ts'

/** Texts handed to the app's embedder at once. */
const batchTexts = 256

/** Fills in `vectors` where there are none. Passes the embedder's own errors on; refuses vectors of wrong number or size. */
export async function embedRecords(
  records: readonly RecordInput[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<readonly RecordInput[]> {
  const pieces = records.map(piecesToEmbed)
  const vectors = await embedTexts(
    pieces.flat().map((piece) => piece.text),
    embedder,
    signal,
  )
  if (vectors === null) return records
  let next = 0
  return records.map((record, i) => {
    const own = pieces[i] ?? []
    if (own.length === 0) return record
    const chunks: VectorChunk[] = own.map(({ from, to }) => {
      next += 1
      return { vector: vectors[next - 1] as Float32Array, from, to }
    })
    return { ...record, vectors: chunks }
  })
}

/** The vectors of a record's text as it will be, when a patch changes the text and brings none; `read` gives the record. */
export async function embedPatch(
  fields: Partial<RecordInput>,
  read: () => Promise<StoredRecord | undefined>,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<RecordInput['vectors']> {
  if (!isReadable(fields)) return undefined
  if (fields?.vectors !== undefined || !contentFields.some((field) => fields?.[field] !== undefined)) return undefined
  const stored = await read()
  if (stored === undefined) return undefined
  const text = Object.fromEntries(
    contentFields.map((field) => [field, fields[field] === undefined ? stored[field] : fields[field]]),
  )
  const [embedded] = await embedRecords([text], embedder, signal)
  return embedded?.vectors
}

/** The query with a vector of the app's embedder, where it has text (or cues, which join it) and none of its own. */
export async function embedQuery(
  query: RecallQuery & Pick<AssembleRequest, 'cues'>,
  embedder: Embedder,
  signal: () => AbortSignal,
): Promise<RecallQuery> {
  if (!isReadable(query) || query?.vector !== undefined) return query
  const texts = [query?.text ?? [], Object.values(query?.cues ?? {})].flat()
  // What is no text, the engine refuses.
  if (!texts.every((part) => typeof part === 'string')) return query
  const text = texts.join('\n')
  if (text.trim() === '') return query
  const vector = checkVectors(await embedder.embed([text], 'query', { signal: signal() }), 1, embedder)?.[0]
  return vector === undefined ? query : { ...query, vector }
}

function piecesToEmbed(record: RecordInput) {
  if (typeof record !== 'object' || record === null || !isReadable(record) || record.vectors !== undefined) return []
  const isText = contentFields.every((field: ContentField) => isTextOrAbsent(record[field]))
  return isText ? embeddingPieces(record).filter((piece) => piece.text.trim() !== '') : []
}

/** Whether no getter of the caller's throws: what does is refused by name where it is sent. */
function isReadable(given: object): boolean {
  try {
    void { ...given }
    return true
  } catch {
    return false
  }
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string'
}

/** Vectors of document texts, in batches; null when the embedder makes none. */
export async function embedTexts(
  texts: readonly string[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<readonly Float32Array[] | null> {
  const vectors: Float32Array[] = []
  for (let from = 0; from < texts.length; from += batchTexts) {
    signal.throwIfAborted()
    const batch = texts.slice(from, from + batchTexts)
    const made = checkVectors(await embedder.embed(batch, 'document', { signal }), batch.length, embedder)
    if (made === null) return null
    vectors.push(...made)
  }
  return vectors
}

function checkVectors(made: readonly Float32Array[], expected: number, embedder: Embedder) {
  if (Array.isArray(made) && made.length === 0) return null
  if (!Array.isArray(made) || made.length !== expected) {
    throw recallError('INVALID_CONFIG', `made ${made?.length} vectors of ${expected} texts`, {
      field: 'embedder.embed',
      cure: 'Let it resolve to one vector per text, or to none at all.',
    })
  }
  for (const vector of made) {
    if (vector instanceof Float32Array && vector.length === embedder.dimensions) continue
    throw recallError('DIMENSION_MISMATCH', `returned a vector that is not ${embedder.dimensions} numbers long`, {
      field: 'embedder.embed',
      value: vector,
      cure: `Let it resolve to Float32Arrays of ${embedder.dimensions} elements.`,
    })
  }
  return made
}
