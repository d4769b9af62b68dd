/** Puts many records in batches, so that the page can show progress and searches can run in between. */
import type { Recall, RecordInput } from 'scrubjay'

export interface BatchOutcome {
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  /** `index` counts from 0 in the input. */
  readonly rejected: readonly { readonly index: number; readonly message: string }[]
}

const batchLength = 40

/** Stops between batches if the signal is aborted; batches that were put stay. */
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
