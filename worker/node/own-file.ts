/** Owns the file of a closed store for a task that opens no engine. */
import { recallError } from '../../src/core/model/errors.ts'
import { contend, type Owned } from './file-lock.ts'

/** ms that a process which has the file open may take to answer. */
const patienceMs = 10_000

/** Rejects with STORE_BUSY, which names `field`, while a process has the file open. */
export async function ownFile(path: string, field: string): Promise<Owned> {
  const entered = await contend(path, AbortSignal.timeout(patienceMs)).catch((error: unknown) => {
    throw error instanceof DOMException ? busy(path, field) : error
  })
  if (entered.kind === 'owned') return entered
  void entered.owner.end()
  throw busy(path, field, entered.pid)
}

function busy(path: string, field: string, pid?: number) {
  const holder = pid === undefined ? 'another process has' : `process ${pid} has`
  return recallError('STORE_BUSY', `must name a closed store, but ${holder} it open`, {
    field,
    value: path,
    hint: 'Close it there first.',
  })
}
