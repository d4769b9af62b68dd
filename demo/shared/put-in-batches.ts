/** Puts many records a few at a time, so that progress shows and searching goes on in between. */
import type { Recall, RecordInput } from 'scrubjay'

export interface BatchOutcome {
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  /** By place in what was given, from 0. */
  readonly rejected: readonly { readonly index: number; readonly message: string }[]
}

const batchLength = 40

/** Stops between batches when the signal says so; what was put stays. */
export async function putInBatches(
  recall: Recall,
  records: readonly RecordInput[],
  onProgress: (done: number) => void,
  signal?: AbortSignal,
): Promise<BatchOutcome> {
  const counts = { inserted: 0, updated: 0, unchanged: 0 }
  const rejected: { index: number; message: string }[] = []
  for (let from = 0; from < records.length; from += batchLength) {
    signal?.throwIfAborted()
    const receipt = await recall.put(records.slice(from, from + batchLength))
    for (const [offset, { outcome, message, code }] of receipt.records.entries()) {
      if (outcome === 'inserted' || outcome === 'updated' || outcome === 'unchanged') counts[outcome]++
      else rejected.push({ index: from + offset, message: message ?? code ?? outcome })
    }
    onProgress(Math.min(records.length, from + batchLength))
  }
  return { ...counts, rejected }
}
