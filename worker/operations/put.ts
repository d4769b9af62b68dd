/**
 * put: parse each record, settle vectors, plan, commit, let the indexes follow. Calls that wait for the same turn of
 * the write queue share one transaction: a hundred single puts cost one flush, and each gets its own receipt.
 */
import { parseRecord } from '../../src/core/ingest/parse-record.ts'
import { planWrite, type Write } from '../../src/core/ingest/plan-write.ts'
import { RecallError, recallError } from '../../src/core/model/errors.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import type { PutReceipt } from '../../src/core/model/result.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import type { Ports } from '../ports.ts'
import { applyToIndex } from './apply-to-index.ts'
import { type Parsed, prepare } from './prepare.ts'

interface Waiting {
  readonly parsed: readonly Parsed[]
  readonly now: number
  readonly resolve: (receipt: PutReceipt) => void
  readonly reject: (error: unknown) => void
}

export function createPut(ports: Ports): (batch: readonly RecordInput[], now: number) => Promise<PutReceipt> {
  let waiting: Waiting[] = []

  return (batch, now) => {
    checkBatch(batch)
    const parsed = batch.map(parseOrReject)
    return new Promise((resolve, reject) => {
      waiting.push({ parsed, now, resolve, reject })
      if (waiting.length === 1) void ports.serial.write(turn)
    })
  }

  /** Takes what waits, up to a full batch, and carries it out as one. */
  async function turn(): Promise<void> {
    const jobs: Waiting[] = []
    for (let records = 0; waiting.length > 0; ) {
      records += waiting[0]?.parsed.length ?? 0
      if (jobs.length > 0 && records > tuning.maxPutBatch) break
      jobs.push(waiting.shift() as Waiting)
    }
    if (waiting.length > 0) void ports.serial.write(turn)
    try {
      const receipts = await carryOut(jobs)
      for (const [i, job] of jobs.entries()) job.resolve(receipts[i] as PutReceipt)
    } catch (error) {
      for (const job of jobs) job.reject(error)
    }
  }

  async function carryOut(jobs: readonly Waiting[]): Promise<readonly PutReceipt[]> {
    const { store, storage } = ports
    const parsed = jobs.flatMap((job) => job.parsed)
    const existing = store.existing([...new Set(parsed.map((entry) => entry.id))])
    const prepared = await prepare(parsed, existing, ports)
    const writes: Write[] = []
    let known = existing
    let from = 0
    const outcomes = jobs.map((job) => {
      const plan = planWrite(prepared.slice(from, from + job.parsed.length), known, job.now)
      from += job.parsed.length
      known = plan.known
      writes.push(...plan.writes)
      return plan.outcomes
    })
    const committed = store.commit(writes)
    applyToIndex(ports, committed)
    return outcomes.map((records) => ({ records, revision: committed.revision, durability: storage.durability }))
  }
}

function checkBatch(batch: unknown): void {
  if (!Array.isArray(batch))
    throw recallError('INVALID_ARGUMENT', 'is not an array of records', {
      field: 'records',
      value: batch,
      cure: 'Give one record or an array.',
    })
  if (batch.length > tuning.maxPutBatch) {
    throw recallError('INVALID_ARGUMENT', `has more than ${tuning.maxPutBatch} records`, {
      field: 'records',
      value: batch,
      cure: 'Put them in several calls.',
    })
  }
}

function parseOrReject(input: unknown): Parsed {
  try {
    return parseRecord(input)
  } catch (error) {
    if (!(error instanceof RecallError)) throw error
    const id =
      typeof input === 'object' && input !== null && 'id' in input && typeof input.id === 'string' ? input.id : ''
    return { rejected: error, id }
  }
}
