/**
 * Sends records one can send. A value that cannot be copied to another thread (a function, a proxy) makes its own
 * record a rejected one, not the whole batch.
 */
import { RecallError } from '../core/model/errors.ts'
import type { RecordInput } from '../core/model/record.ts'
import type { PutOutcome, PutReceipt } from '../core/model/result.ts'
import { packVectors } from './pack-vectors.ts'
import type { Send } from './run-calls.ts'

/** The receipt answers for every record in the order given, sent or not. */
export async function sendRecords(send: Send, batch: readonly RecordInput[]): Promise<PutReceipt> {
  try {
    return await sendAll(send, batch)
  } catch (error) {
    if (error instanceof RecallError) throw error
    const outcomes = batch.map((await loadRefusals()).refuseUncloneableRecord)
    if (outcomes.every((refused) => refused === null)) throw error
    const receipt = await sendAll(
      send,
      batch.filter((_, i) => outcomes[i] === null),
    )
    let next = 0
    const answers = outcomes.map((refused) => refused ?? (receipt.records[next++] as PutOutcome))
    return { ...receipt, records: answers }
  }
}

export const loadRefusals = () => import('./refuse-uncloneable.ts')

function sendAll(send: Send, batch: readonly RecordInput[]): Promise<PutReceipt> {
  const { records, transfer } = packVectors(batch)
  return send('put', { batch: records }, transfer)
}
