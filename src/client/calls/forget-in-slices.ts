/** Forgets many records in slices. Each slice is one transaction, which is durable and erased before the next; other calls run in between. */
import type { Scope } from '../../core/model/query.ts'
import type { ForgetReceipt, RetainReceipt } from '../../core/model/receipts.ts'
import { tuning } from '../../core/model/tuning.ts'
import { compareCodePoints } from '../../core/text/hash/code-point-order.ts'
import type { Send } from './run-calls.ts'
import { sendPlain } from './send-records.ts'

const { recordsPerCommit: limit, maxPutBatch } = tuning

/** Called after each slice with the number of records that are forgotten. */
export type OnCommitted = (forgotten: number) => void

export async function forgetIds(
  send: Send,
  input: readonly string[],
  onCommitted: OnCommitted,
): Promise<ForgetReceipt> {
  // An invalid or too long list is sent whole, so that the engine refuses it.
  const isSliced = input.length > limit && input.length <= maxPutBatch && input.every((id) => typeof id === 'string')
  if (!isSliced) return send('forget', { ids: input })
  const ids = [...new Set(input)]
  const receipts: ForgetReceipt[] = []
  for (let from = 0; from < ids.length; from += limit) {
    receipts.push(await send('forget', { ids: ids.slice(from, from + limit) }))
    onCommitted(forgottenOf(receipts).length)
  }
  return joined(receipts)
}

/** Forgets a scope. Each slice reads the scope again, so records that leave it in between are kept, and new ones are forgotten. */
export async function forgetScope(send: Send, scope: Scope, onCommitted: OnCommitted): Promise<ForgetReceipt> {
  const receipts: ForgetReceipt[] = []
  for (;;) {
    const { isLast, ...receipt } = await send('forget', { scope, limit })
    receipts.push(receipt)
    if (isLast !== false) return joined(receipts)
    onCommitted(forgottenOf(receipts).length)
  }
}

export async function retainInSlices(
  send: Send,
  dryRun: boolean | undefined,
  onCommitted: OnCommitted,
): Promise<RetainReceipt> {
  const records: RetainReceipt['records'][number][] = []
  for (;;) {
    const { isLast, ...receipt } = await sendPlain(send, 'retain', { dryRun, limit }, { dryRun })
    records.push(...receipt.records)
    if (isLast !== false) return { ...receipt, records: records.toSorted((a, b) => compareCodePoints(a.id, b.id)) }
    onCommitted(records.length)
  }
}

function joined(receipts: readonly ForgetReceipt[]): ForgetReceipt {
  const last = receipts.at(-1)!
  return { ...last, forgotten: forgottenOf(receipts), missing: receipts.flatMap(({ missing }) => missing) }
}

function forgottenOf(receipts: readonly ForgetReceipt[]): readonly string[] {
  return receipts.flatMap(({ forgotten }) => forgotten)
}
