/**
 * Moves captures from the inbox into the store. Each is put first and removed then; if the panel is closed in between, the
 * next put of the same record changes nothing. Records that the store refuses are reported and dropped; after a failed
 * write, captures stay in the inbox.
 */
import type { PutOutcome, Recall } from 'scrubjay'
import { type Capture, recordOf, withKnownText } from './capture.ts'
import { readInbox, removeFromInbox } from './inbox.ts'

/** Calls `stored` with the outcome of each capture. Rejects if the store cannot write; the rest stays in the inbox. */
export async function storeCaptures(
  recall: Recall,
  stored: (capture: Capture, outcome: PutOutcome) => void,
): Promise<void> {
  // One reader at a time in all windows: two readers would report the same capture twice.
  await navigator.locks.request('sidebar inbox', async () => {
    for (const { key, capture } of await readInbox()) {
      const { records } = await recall.put([await withKnownText(recall, await recordOf(capture))])
      await removeFromInbox(key)
      for (const outcome of records) stored(capture, outcome)
    }
  })
}
