/** compact: gives freed space back to the platform and leaves no byte of what was forgotten, in the journal either. */
import type { CompactReceipt } from '../../src/core/model/result.ts'
import type { Ports } from '../ports.ts'

export async function compact({ store, storage, acceleration, emit }: Ports): Promise<CompactReceipt> {
  const bytesBefore = store.fileBytes()
  emit({ type: 'progress', operation: 'compact', done: 0, total: 1 })
  store.compact()
  await storage.checkpoint()
  // Its masked points go too; until it stands again, every answer is exact.
  acceleration?.rebuild()
  emit({ type: 'progress', operation: 'compact', done: 1, total: 1 })
  return { bytesBefore, bytesAfter: store.fileBytes() }
}
