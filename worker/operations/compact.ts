/** compact: gives freed space back to the platform and leaves no byte of what was forgotten, in the journal either. */
import type { CompactReceipt } from '../../src/core/model/result.ts'
import type { Ports } from '../ports.ts'

export function compact({ store, storage, emit }: Ports): CompactReceipt {
  const bytesBefore = store.fileBytes()
  emit({ type: 'progress', operation: 'compact', done: 0, total: 1 })
  store.compact()
  storage.checkpoint()
  emit({ type: 'progress', operation: 'compact', done: 1, total: 1 })
  return { bytesBefore, bytesAfter: store.fileBytes() }
}
