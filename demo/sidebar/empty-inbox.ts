/**
 * Takes wishes out of the inbox into the store: put first, then removed, so a panel closed in between puts the same record
 * again, which changes nothing. What the store refuses as a record is said and dropped; what it could not keep stays.
 */
import type { PutOutcome, Recall } from 'scrubjay'
import { readInbox, removeFromInbox } from './inbox.ts'
import { recordOf, type Wish } from './wish.ts'

/** `told` hears of each wish what became of it. Rejects when the store cannot write; the rest waits for the next time. */
export async function emptyInbox(recall: Recall, told: (wish: Wish, outcome: PutOutcome) => void): Promise<void> {
  // One reader at a time, in all windows: a wish that two of them see would be told twice.
  await navigator.locks.request('sidebar inbox', async () => {
    for (const { key, wish } of await readInbox()) {
      const { records } = await recall.put([await recordOf(wish)])
      await removeFromInbox(key)
      for (const outcome of records) told(wish, outcome)
    }
  })
}
