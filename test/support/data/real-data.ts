/**
 * Puts and asks a measuring set over the public client, the same code in a page and in Node (it imports nothing of
 * Node). Takes the set's files unchanged, `corpus.jsonl` and rows of 384 float32; the caller chooses the questions.
 */
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { Durability } from '../../../src/core/model/receipts.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { Recall } from '../../../src/index.ts'

export const realSpace = { name: 'all-MiniLM-L6-v2', dimensions: 384 } as const
export const realNow = Date.UTC(2026, 0, 1)

const batchSize = 500

export interface RealQuestion {
  /** Its line in queries.jsonl, which is its row among the vectors. */
  readonly row: number
  readonly text: string
  /** The project to search, '' for all. */
  readonly scope: string
}

export interface RealAnswer {
  readonly ids: readonly string[]
  readonly scores: readonly number[]
  readonly receiptId: string
  readonly storeRevision: number
}

/**
 * Puts all records in batches; returns their number and every durability in the receipts. Rejects when one is refused.
 */
export async function putCorpus(
  recall: Recall,
  corpus: string,
  vectors: Float32Array,
): Promise<{ readonly put: number; readonly durabilities: readonly Durability[] }> {
  const records = recordsOf(corpus, vectors)
  const durabilities = new Set<Durability>()
  for (let from = 0; from < records.length; from += batchSize) {
    const receipt = await recall.put(records.slice(from, from + batchSize))
    const other = receipt.records.find(({ outcome }) => outcome !== 'inserted')
    if (other !== undefined) throw new Error(`${other.id}: ${other.outcome} ${other.message ?? ''}`)
    durabilities.add(receipt.durability)
  }
  return { put: records.length, durabilities: [...durabilities] }
}

/** Asks one after the other, by text and vector. */
export async function askQuestions(
  recall: Recall,
  questions: readonly RealQuestion[],
  vectors: Float32Array,
): Promise<RealAnswer[]> {
  const answers: RealAnswer[] = []
  for (const question of questions) {
    const { hits, plan, receipt } = await recall.recall(queryOf(question, vectors))
    if (!plan.channels.lexical.ran || !plan.channels.vector.ran) throw new Error(`half a recall: ${question.text}`)
    answers.push({
      ids: hits.map(({ id }) => id),
      scores: hits.map(({ score }) => score),
      receiptId: receipt.id,
      storeRevision: receipt.storeRevision,
    })
  }
  return answers
}

interface Line {
  readonly id: string
  readonly title?: string
  readonly text: string
  readonly meta?: { readonly conv?: string; readonly session?: number; readonly turn?: number }
}

function recordsOf(corpus: string, vectors: Float32Array): RecordInput[] {
  return (
    corpus
      .trim()
      .split('\n')
      .map((line, i) => recordOf(JSON.parse(line) as Line, rowOf(vectors, i)))
      // A set may hold blank documents; the store refuses them, and no judgement names one.
      .filter(({ title, body }) => `${title ?? ''}${body}`.trim() !== '')
  )
}

function recordOf({ id, title, text, meta = {} }: Line, vectors: Float32Array): RecordInput {
  const turn = meta.turn === undefined ? {} : { session: `${meta.conv}/${meta.session}`, position: meta.turn }
  return { id, title: title || null, body: text, project: meta.conv ?? null, ...turn, vectors }
}

function queryOf({ row, text, scope }: RealQuestion, vectors: Float32Array): RecallQuery {
  return {
    text,
    vector: rowOf(vectors, row),
    ...(scope === '' ? {} : { scope: { project: scope } }),
    // Judgements name each copy of a text.
    collapse: 'none',
  }
}

function rowOf(vectors: Float32Array, i: number): Float32Array {
  return vectors.subarray(i * realSpace.dimensions, (i + 1) * realSpace.dimensions)
}
