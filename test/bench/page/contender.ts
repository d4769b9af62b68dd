/** Whoever answers questions, and how long it takes: the same loop for Scrubjay and for its peers. */
import type { Mode, Timings } from './bench-api.ts'
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
  /** Time inside the worker, without the way there and back. */
  readonly tookMs: number
}

export interface Contender {
  ask(ask: Ask): Promise<Answered>
  leave(): Promise<void>
}

/** One question after the other, none while another is out. */
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

export function asksOf({ questions, vectors }: Questions, mode: Mode, tag: string | null, count: number): Ask[] {
  return questions
    .slice(0, count)
    .map((question, i) => ({ mode, text: question.text, vector: rowOf(vectors, i), tag: tag ?? question.tag }))
}
