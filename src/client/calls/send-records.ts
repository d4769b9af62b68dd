/**
 * Sends records one can send, in slices that are one transaction each. A value that cannot be copied to another thread (a
 * function, a proxy) makes its own record a rejected one, not the whole batch.
 */
import { RecallError } from '../../core/model/errors.ts'
import type { RecordInput } from '../../core/model/record.ts'
import type { PutReceipt } from '../../core/model/result.ts'
import { tuning } from '../../core/model/tuning.ts'
import type { Answer, Arguments, Method } from '../../protocol/engine-api.ts'
import { packVectors } from './pack-vectors.ts'
import type { Send } from './run-calls.ts'

/** Records with their vectors, and what this side alone knows of those that go without. */
export interface EmbeddedSlice {
  readonly made: readonly RecordInput[]
  reasons(receipt: PutReceipt): PutReceipt
}

export interface Slicing {
  /** All records at once, whatever their number. */
  readonly isAtomic: boolean
  /** Fills in the vectors of a slice; null: nobody does here. */
  readonly embed: ((records: readonly RecordInput[]) => Promise<EmbeddedSlice>) | null
  /** Told after each slice how many records are stored. */
  tell(landed: number): void
}

/** The receipt answers for every record in the order given, sent or not. */
export async function sendInSlices(
  send: Send,
  batch: readonly RecordInput[],
  { isAtomic, embed, tell }: Slicing,
): Promise<PutReceipt> {
  const receipts: PutReceipt[] = []
  let landed = 0
  // Without an await where none is needed: what the caller changes after the call is not part of it.
  const slices = isAtomic ? [batch] : slicesOf(batch)
  for (const slice of slices) {
    const { made, reasons } = embed ? await embed(slice) : { made: slice, reasons: null }
    const sent = await sendRecords(send, made)
    const receipt = reasons ? reasons(sent) : sent
    receipts.push(receipt)
    landed += receipt.records.length
    if (slices.length > 1) tell(landed)
  }
  const last = receipts.at(-1)!
  return receipts.length === 1 ? last : { ...last, records: receipts.flatMap(({ records }) => records) }
}

/** One, or copies: what the caller changes while the first is on its way is not part of the others. */
function slicesOf(batch: readonly RecordInput[]): readonly (readonly RecordInput[])[] {
  const { recordsPerCommit, maxPutBatch } = tuning
  // What is too much, or no list at all, the engine refuses as a whole.
  if (batch.length <= recordsPerCommit || batch.length > maxPutBatch) return [batch]
  return Array.from({ length: Math.ceil(batch.length / recordsPerCommit) }, (_, i) =>
    copyOf(batch.slice(i * recordsPerCommit, (i + 1) * recordsPerCommit)),
  )
}

function copyOf(slice: readonly RecordInput[]): readonly RecordInput[] {
  const clone = (records: readonly RecordInput[]) => {
    const packed = packVectors(records)
    return structuredClone(packed.records, { transfer: [...packed.transfer] })
  }
  try {
    return clone(slice)
  } catch {
    return slice.flatMap((record) => {
      try {
        return clone([record])
      } catch {
        // Refused by name when it is sent.
        return [record]
      }
    })
  }
}

async function sendRecords(send: Send, batch: readonly RecordInput[]): Promise<PutReceipt> {
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
    const answers = outcomes.map((refused) => refused ?? receipt.records[next++]!)
    return { ...receipt, records: answers }
  }
}

/** Says by name what cannot be copied to another thread: a field of `given`, or else one of the request. */
export async function sendPlain<V extends Method>(
  send: Send,
  method: V,
  request: Arguments<V>,
  given: unknown = request,
  transfer?: readonly ArrayBuffer[],
): Promise<Answer<V>> {
  try {
    return await send(method, request, transfer)
  } catch (error) {
    if (error instanceof RecallError) throw error
    const { refuseUncloneable } = await loadRefusals()
    throw refuseUncloneable(given) ?? refuseUncloneable(request) ?? error
  }
}

export const loadRefusals = () => import('./refuse-uncloneable.ts')

function sendAll(send: Send, batch: readonly RecordInput[]): Promise<PutReceipt> {
  const { records, transfer } = packVectors(batch)
  return send('put', { batch: records }, transfer)
}
