/** Forgetting many: each request is one transaction of a slice, durable and erased before the next, and other calls come in between. */
import type { Scope } from '../../core/model/query.ts'
import type { ForgetReceipt, RetainReceipt } from '../../core/model/result.ts'
import { tuning } from '../../core/model/tuning.ts'
import { compareCodePoints } from '../../core/text/hash/code-point-order.ts'
import type { Send } from './run-calls.ts'

const { recordsPerCommit: limit, maxPutBatch } = tuning

/** `tell` hears after each slice how many records are forgotten. */
export type Tell = (forgotten: number) => void

export async function forgetIds(send: Send, given: readonly string[], tell: Tell): Promise<ForgetReceipt> {
  // The engine refuses an invalid or too long list of ids as a whole.
  const isSliced = given.length > limit && given.length <= maxPutBatch && given.every((id) => typeof id === 'string')
  if (!isSliced) return send('forget', { ids: given })
  const ids = [...new Set(given)]
  const receipts: ForgetReceipt[] = []
  for (let from = 0; from < ids.length; from += limit) {
    receipts.push(await send('forget', { ids: ids.slice(from, from + limit) }))
    tell(forgottenOf(receipts).length)
  }
  return joined(receipts)
}

/** The scope is asked again for each slice: what leaves it meanwhile stays, what enters it goes. */
export async function forgetScope(send: Send, scope: Scope, tell: Tell): Promise<ForgetReceipt> {
  const receipts: ForgetReceipt[] = []
  for (;;) {
    const { isLast, ...receipt } = await send('forget', { scope, limit })
    receipts.push(receipt)
    if (isLast !== false) return joined(receipts)
    tell(forgottenOf(receipts).length)
  }
}

export async function retainInSlices(send: Send, dryRun: boolean | undefined, tell: Tell): Promise<RetainReceipt> {
  const records: RetainReceipt['records'][number][] = []
  for (;;) {
    const { isLast, ...receipt } = await send('retain', { dryRun, limit })
    records.push(...receipt.records)
    if (isLast !== false) return { ...receipt, records: records.toSorted((a, b) => compareCodePoints(a.id, b.id)) }
    tell(records.length)
  }
}

function joined(receipts: readonly ForgetReceipt[]): ForgetReceipt {
  const last = receipts.at(-1)!
  return { ...last, forgotten: forgottenOf(receipts), missing: receipts.flatMap(({ missing }) => missing) }
}

function forgottenOf(receipts: readonly ForgetReceipt[]): readonly string[] {
  return receipts.flatMap(({ forgotten }) => forgotten)
}
