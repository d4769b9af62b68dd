/**
 * compact: returns free space to the platform and erases all bytes of forgotten records, also from the journal. Each step
 * is its own job in the write queue, so that other calls run between the steps.
 */
import { RecallError } from '../../../src/core/model/errors.ts'
import type { CompactReceipt } from '../../../src/core/model/receipts.ts'
import type { Ports } from '../common/ports.ts'

export async function compact(ports: Ports, signal: AbortSignal | undefined): Promise<CompactReceipt> {
  const { writeQueue, emit } = ports
  const { bytesBefore, steps } = await writeQueue.write(() => {
    return { bytesBefore: ports.store.fileBytes(), steps: ports.store.compactSteps() }
  }, signal)
  emit({ type: 'progress', operation: 'compact', done: 0, total: 1 })
  let isOver = false
  const step = async (go = () => steps.next()): Promise<ReturnType<typeof steps.next>> => {
    try {
      return await writeQueue.write(() => {
        isOver = true
        const answer = go()
        isOver = false
        return answer
      }, signal)
    } catch (error) {
      if (isOver || !(error instanceof RecallError) || error.code !== 'QUOTA_EXCEEDED') throw error
      // The commit could not be made durable and was rolled back. A smaller step may fit on the disk.
      return step(() => steps.throw(error))
    }
  }
  let last = 1
  for (;;) {
    const { value, done } = await step()
    if (done === true || value === undefined) break
    last = value.total + 1
    emit({ type: 'progress', operation: 'compact', done: value.done, total: last })
  }
  return writeQueue.write(async () => {
    await ports.storage.checkpoint()
    // A rebuild removes the masked points of the graph. Answers are exact until it is ready.
    ports.acceleration?.rebuild()
    emit({ type: 'progress', operation: 'compact', done: last, total: last })
    return { bytesBefore, bytesAfter: ports.store.fileBytes() }
  })
}
