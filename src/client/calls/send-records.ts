/**
 * Sends records in slices, each of which is one transaction. A value that cannot be copied to another thread (a function, a proxy)
 * rejects only its own record, not the whole batch.
 */
import { RecallError, recallError } from '../../core/model/errors.ts'
import type { PutReceipt } from '../../core/model/receipts.ts'
import type { RecordInput } from '../../core/model/record.ts'
import { tuning } from '../../core/model/tuning.ts'
import type { Answer, Arguments, Method } from '../../protocol/engine-api.ts'
import { packVectors } from './pack-vectors.ts'
import type { Send } from './run-calls.ts'

/** Records with their vectors; `reasons` adds to a receipt why records have none, which only the page knows. */
export interface EmbeddedSlice {
  readonly made: readonly RecordInput[]
  reasons(receipt: PutReceipt): PutReceipt
}

export interface Slicing {
  /** True: sends all records in one request. Default false. */
  readonly atomic?: boolean | undefined
  /** Default false. */
  readonly findContradictions?: boolean | undefined
  /** Makes the vectors of a slice; null if the page has no embedder. */
  readonly embed: ((records: readonly RecordInput[]) => Promise<EmbeddedSlice>) | null
  /** Called after each slice with the number of stored records. */
  onCommitted(records: number): void
}

/** Sends the batch. The receipt has an outcome for each record, in the order of the batch, also for records that were not sent. */
export async function sendInSlices(
  send: Send,
  batch: readonly RecordInput[],
  { atomic, findContradictions, embed, onCommitted }: Slicing,
): Promise<PutReceipt> {
  const receipts: PutReceipt[] = []
  let committed = 0
  // No await before the first slice is sent, so that later changes of the caller have no effect.
  const asked = isTrue(findContradictions, 'findContradictions', 'to compare records with stored ones')
    ? { findContradictions: true }
    : {}
  const slices = isTrue(atomic, 'atomic', 'to store all records in one transaction') ? [batch] : slicesOf(batch)
  for (const slice of slices) {
    const { made, reasons } = embed ? await embed(slice) : { made: slice, reasons: null }
    const sent = await sendRecords(send, made, asked)
    const receipt = reasons ? reasons(sent) : sent
    receipts.push(receipt)
    committed += receipt.records.length
    if (slices.length > 1) onCommitted(committed)
  }
  const last = receipts.at(-1)!
  return receipts.length === 1 ? last : { ...last, records: receipts.flatMap(({ records }) => records) }
}

function isTrue(value: unknown = false, field: string, purpose: string): boolean {
  if (typeof value === 'boolean') return value
  throw recallError('INVALID_ARGUMENT', 'must be true or false', {
    field,
    value,
    hint: `Give true ${purpose}, or leave it out.`,
  })
}

/** Splits a batch. Several slices are copies, so that later changes of the caller have no effect. */
function slicesOf(batch: readonly RecordInput[]): readonly (readonly RecordInput[])[] {
  const { recordsPerCommit, maxPutBatch } = tuning
  // A too long batch is sent whole, so that the engine refuses it.
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
        // Sending it fails with an error that names the field.
        return [record]
      }
    })
  }
}

type Asked = Omit<Arguments<'put'>, 'batch'>

async function sendRecords(send: Send, batch: readonly RecordInput[], asked: Asked): Promise<PutReceipt> {
  try {
    return await sendAll(send, batch, asked)
  } catch (error) {
    if (error instanceof RecallError) throw error
    const outcomes = batch.map((await loadRefusals()).refuseUncloneableRecord)
    if (outcomes.every((refused) => refused === null)) throw error
    const receipt = await sendAll(
      send,
      batch.filter((_, i) => outcomes[i] === null),
      asked,
    )
    let next = 0
    const answers = outcomes.map((refused) => refused ?? receipt.records[next++]!)
    return { ...receipt, records: answers }
  }
}

/** Sends a request. If it cannot be copied to another thread, the error names a field of `given`, or else of the request. */
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

function sendAll(send: Send, batch: readonly RecordInput[], asked: Asked): Promise<PutReceipt> {
  const { records, transfer } = packVectors(batch)
  return send('put', { batch: records, ...asked }, transfer)
}
