/**
 * A contender answers questions, and the loop measures how long that takes: the same for Scrubjay and for its peers.
 */
import type { BatchTimings, ChangeVerb, Mode, Timings } from './bench-api.ts'
import { type Questions, rowOf } from './load-collection.ts'

export interface Ask {
  readonly mode: Mode
  readonly text: string
  readonly vector: Float32Array
  readonly tag: string | null
}

export interface Answered {
  /** At most ten, best first. */
  readonly ids: readonly string[]
  /** Time inside the worker, without the messages. */
  readonly tookMs: number
}

export interface Contender {
  ask(ask: Ask): Promise<Answered>
  /** ms until the batch is changed: stored durably by Scrubjay, in memory by the others, without the messages. */
  change(verb: ChangeVerb, rows: readonly number[]): Promise<number>
  /** Candidates of a graph's search from now on. Returns ms that this took; EdgeVec builds its graph again. */
  setEf(ef: number): Promise<number>
  /** Bytes of WebAssembly memory, if the contender reports them. */
  wasmBytes(): Promise<number | null>
  leave(): Promise<void>
}

/** One question after the other, never two at once. */
export async function timeAll(contender: Contender, asks: readonly Ask[], budgetMs: number): Promise<Timings> {
  const workerMs: number[] = []
  const pageMs: number[] = []
  const endMs = performance.now() + budgetMs
  for (const ask of asks) {
    const startedMs = performance.now()
    const { tookMs } = await contender.ask(ask)
    const answeredMs = performance.now()
    pageMs.push(answeredMs - startedMs)
    workerMs.push(tookMs)
    if (answeredMs > endMs) break
  }
  return { workerMs, pageMs }
}

/** Batch after batch, of rows spread evenly over the collection. */
export async function changeAll(
  contender: Contender,
  verb: ChangeVerb,
  { of, records, batchSize }: { readonly of: number; readonly records: number; readonly batchSize: number },
): Promise<BatchTimings> {
  const rows = Array.from({ length: records }, (_, k) => Math.floor((k * of) / records))
  const batchMs: number[] = []
  for (let from = 0; from < records; from += batchSize)
    batchMs.push(await contender.change(verb, rows.slice(from, from + batchSize)))
  return { batchSize, records, batchMs }
}

export function asksOf({ questions, vectors }: Questions, mode: Mode, tag: string | null, count: number): Ask[] {
  return questions
    .slice(0, count)
    .map((question, i) => ({ mode, text: question.text, vector: rowOf(vectors, i), tag: tag ?? question.tag }))
}
