/**
 * Runs the golden store over the public client, the same code in a page and in Node (it imports nothing of Node).
 * Returns the hashes, and the answers behind them for finding the first difference of two runs.
 */
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import type { OpenOptions, Recall } from '../../../src/index.ts'
import type { Embedder } from '../../../src/protocol/embedder.ts'
import { goldenBytes, goldenLines, goldenNow, goldenSpace } from './golden-store.ts'

/**
 * `given`: the golden store unchanged. `built-in`: without its vectors, so that the built-in embedder makes them all.
 * `changed`: one character of one record differs.
 */
export type GoldenVariant = 'given' | 'built-in' | 'changed'

/** Of the package under test: the sources in Node, the bundled build in a page. */
export interface PublicEntries {
  openRecall(options: OpenOptions): Promise<Recall>
  precomputed(dimensions: number, space: string): Embedder
}

export interface GoldenRun {
  /** As in test/golden: `<sha256>  <name>`, one per question. */
  readonly lines: readonly string[]
  /** The hashed texts, in the order of the lines. */
  readonly answers: readonly string[]
  /** The answers of methods that browse, as canonical JSON. */
  readonly browsing: string
  readonly backend: string
  readonly runtime: string
  /** Vectors in the store when it was asked. */
  readonly vectors: number
}

/** Opens a store of its own, fills it, asks everything, and removes it. */
export async function runGolden(
  { openRecall, precomputed }: PublicEntries,
  variant: GoldenVariant,
  storage: NonNullable<OpenOptions['storage']>,
): Promise<GoldenRun> {
  const { name, dimensions } = goldenSpace
  const recall = await openRecall({
    name: `golden ${variant}`,
    storage,
    now: () => goldenNow,
    ...(variant === 'built-in' ? {} : { embedder: precomputed(dimensions, name) }),
  })
  const answers: string[] = []
  const lines = await goldenLines({
    put: (records) => recall.put(records.map((record) => recordOf(record, variant))),
    forget: (ids) => recall.forget(ids),
    recall: async (query) => {
      const result = await recall.recall(queryOf(query, variant))
      answers.push(goldenBytes(result))
      return result
    },
  })
  const browsing = await browse(recall)
  const { backend, runtime, vectors } = await recall.status()
  await recall.destroy()
  return { lines, answers, browsing, backend, runtime, vectors: vectors.current }
}

/** Pages in every order, and counts. */
async function browse(recall: Recall): Promise<string> {
  const answers: unknown[] = []
  for (const by of ['updatedAt', 'createdAt', 'occurredAt', 'title'] as const) {
    for (const filter of [{}, { text: 'the jay' }, { time: { of: 'updatedAt', after: 0 } }] as const) {
      let page = await recall.list({ ...filter, order: { by }, limit: 40 })
      if (page.nextCursor !== null)
        page = await recall.list({ ...filter, order: { by }, limit: 40, cursor: page.nextCursor })
      answers.push(
        page.nextCursor,
        page.items.map(({ id }) => id),
      )
    }
  }
  const keys = ['kind', 'project', 'status', 'tags'] as const
  answers.push(await recall.facets({ keys }), await recall.facets({ keys, text: 'jay', scope: { kind: 'note' } }))
  return canonicalJson(answers)
}

function recordOf(record: RecordInput, variant: GoldenVariant): RecordInput {
  if (variant === 'changed' && record.id === 'g1') return { ...record, body: `${record.body}.` }
  return variant === 'built-in' ? withoutVectors(record) : record
}

function withoutVectors({ vectors: _vectors, ...record }: RecordInput): RecordInput {
  return record
}

/** A question that was a vector alone becomes a listing, which is a question, too. */
function queryOf(query: RecallQuery, variant: GoldenVariant): RecallQuery {
  if (variant !== 'built-in') return query
  const { vector: _vector, ...rest } = query
  return rest
}
