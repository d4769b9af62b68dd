/** Puts many records in batches, so that the page can show progress and searches can run in between. */
import type { Recall, RecordInput } from 'scrubjay'

export interface BatchOutcome {
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  /** `index` counts from 0 in the input; `name` is the title or the id. */
  readonly rejected: readonly { readonly index: number; readonly name: string; readonly message: string }[]
}

const batchLength = 40

/** Stops between batches if the signal is aborted; batches that were put stay. */
export async function putInBatches(
  recall: Recall,
  records: Iterable<RecordInput> | AsyncIterable<RecordInput>,
  onProgress: (done: number) => void,
  signal?: AbortSignal,
): Promise<BatchOutcome> {
  const counts = { inserted: 0, updated: 0, unchanged: 0 }
  const rejected: { index: number; name: string; message: string }[] = []
  let done = 0
  let batch: RecordInput[] = []
  for await (const record of records) if (batch.push(record) === batchLength) await put()
  await put()
  return { ...counts, rejected }

  async function put(): Promise<void> {
    signal?.throwIfAborted()
    if (batch.length === 0) return
    const receipt = await recall.put(batch)
    for (const [offset, { outcome, message, code }] of receipt.records.entries()) {
      const { title, id } = batch[offset]!
      if (outcome === 'inserted' || outcome === 'updated' || outcome === 'unchanged') counts[outcome]++
      else rejected.push({ index: done + offset, name: title ?? id ?? '', message: message ?? code ?? outcome })
    }
    done += batch.length
    batch = []
    onProgress(done)
  }
}
