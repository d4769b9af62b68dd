/**
 * put: parses each record, resolves vectors, plans, commits and updates the indexes. Calls that wait for the same turn of
 * the write queue share one transaction: a hundred single puts cost one flush, and each gets its own receipt.
 */
import { type ParsedRecord, parseRecord } from '../../../src/core/ingest/parse-record.ts'
import { type ExistingRecord, planWrite, type Write } from '../../../src/core/ingest/plan-write.ts'
import { RecallError, recallError } from '../../../src/core/model/errors.ts'
import type { PutReceipt } from '../../../src/core/model/receipts.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { throwIfRejected } from '../../../src/core/model/shared-errors.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import type { RequestContext } from '../../../src/protocol/engine-api.ts'
import type { DoneOperation } from '../../store/port/committed.ts'
import { afterCommit } from '../common/after-commit.ts'
import { putOperation, storedPut } from '../common/idempotency.ts'
import { inSteps } from '../common/in-steps.ts'
import type { Ports } from '../common/ports.ts'
import { type Parsed, resolveVectors } from '../common/resolve-vectors.ts'
import { findContradictions } from './find-contradictions.ts'
import { withOwnTier } from './own-tier.ts'

interface Waiting extends RequestContext {
  readonly batch: readonly RecordInput[]
  readonly compares: boolean
  readonly resolve: (receipt: PutReceipt) => void
  readonly reject: (error: unknown) => void
}

export interface Put {
  /** `compares`: whether contradictions with stored records are proposed. */
  put(batch: readonly RecordInput[], context: RequestContext, compares?: boolean): Promise<PutReceipt>
  /**
   * Puts one record that depends on stored data: `make` runs in this call's turn of the queue. Throws if the record is
   * rejected.
   */
  putMade(id: string, make: () => ParsedRecord, context: RequestContext): Promise<PutReceipt>
}

export function createPut(ports: Ports): Put {
  const { writeQueue } = ports
  let group: Waiting[] = []
  let groupQueuedAs = -1

  return {
    put(batch, context, compares = false) {
      checkBatch(batch)
      return new Promise((resolve, reject) => {
        const job: Waiting = { ...context, batch, compares, resolve, reject }
        // If another write is queued behind the group, this put must run after that write.
        if (group.length > 0 && groupQueuedAs === writeQueue.queued()) group.push(job)
        else startGroup(job)
      })
    },
    putMade: (id, make, { now, operation, signal }) =>
      writeQueue.write(async () => {
        const repeated = storedPut(ports, operation, [{ id }])
        if (repeated) return repeated
        const [receipt] = await carryOut(ports, [{ parsed: [make()], now, operation }])
        throwIfRejected(receipt!)
        return receipt!
      }, signal),
  }

  function startGroup(job: Waiting): void {
    const started = [job]
    group = started
    void writeQueue.write(async () => {
      if (group === started) group = []
      await carryOutGroup(ports, started)
    })
    groupQueuedAs = writeQueue.queued()
  }
}

/**
 * Writes a group in transactions of at most `recordsPerCommit` records. A failed transaction fails only its own calls.
 * Aborted calls are skipped.
 */
async function carryOutGroup(ports: Ports, group: Waiting[]): Promise<void> {
  for (let isFirst = true; group.length > 0; isFirst = false) {
    if (!isFirst) await ports.turns.take()
    const jobs: Waiting[] = []
    for (let records = 0; group.length > 0; ) {
      if (group[0]?.signal?.aborted) {
        const { reject, signal } = group.shift()!
        reject(signal?.reason)
        continue
      }
      records += group[0]?.batch.length ?? 0
      if (jobs.length > 0 && records > tuning.recordsPerCommit) break
      // A repeated operation must find the stored outcome of the first, so it needs a later transaction.
      if (jobs.some(({ operation }) => operation !== undefined && operation === group[0]?.operation)) break
      jobs.push(group.shift()!)
    }
    try {
      const parsed: Job[] = []
      for (const { batch, now, operation, signal } of jobs)
        parsed.push({ parsed: await parseAll(ports, batch), now, operation, signal })
      const receipts = await carryOut(ports, parsed)
      for (const [i, { resolve, compares, now }] of jobs.entries())
        resolve(compares ? await findContradictions(ports, receipts[i]!, now) : receipts[i]!)
    } catch (error) {
      for (const job of jobs) job.reject(error)
    }
  }
}

interface Job extends RequestContext {
  readonly parsed: readonly Parsed[]
}

/**
 * Parses in steps: text is read, hashed and counted here, which is slow for thousands of records. Reports progress, so that the call does
 * not reach its deadline before its transaction begins.
 */
async function parseAll(ports: Ports, batch: readonly RecordInput[]): Promise<readonly Parsed[]> {
  const parsed: Parsed[] = []
  // By index, so that a hole in the array is rejected like any invalid record.
  for (let i = 0; i < batch.length; i++) {
    if (i > 0 && i % recordsParsedAtOnce === 0) {
      ports.emit({ type: 'progress', operation: 'put', done: 0, total: batch.length })
      await ports.turns.take()
    }
    parsed.push(parseOrReject(batch[i], ports))
  }
  return parsed
}

const recordsParsedAtOnce = 64

async function carryOut(ports: Ports, jobs: readonly Job[]): Promise<readonly PutReceipt[]> {
  const repeated = jobs.map(({ operation, parsed }) => storedPut(ports, operation, parsed))
  const unknown = jobs.filter((_, i) => repeated[i] === null)
  const receipts = unknown.length === 0 ? [] : [...(await write(ports, unknown))]
  return repeated.map((receipt) => receipt ?? receipts.shift()!)
}

/** Reads in steps, within one job of the write queue: no other write runs between them. */
async function readExisting(
  { store, turns }: Ports,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ExistingRecord>> {
  const existing = new Map<string, ExistingRecord>()
  for (let from = 0; from < ids.length; from += recordsReadAtOnce) {
    if (from > 0) await turns.take()
    for (const [id, record] of store.existing(ids.slice(from, from + recordsReadAtOnce))) existing.set(id, record)
  }
  return existing
}

const recordsReadAtOnce = 500

async function write(ports: Ports, jobs: readonly Job[]): Promise<readonly PutReceipt[]> {
  const { store, storage } = ports
  const parsed = jobs.flatMap((job) => job.parsed)
  const existing = await readExisting(ports, [...new Set(parsed.map((entry) => entry.id))])
  const prepared = await resolveVectors(parsed, existing, ports)
  const writes: Write[] = []
  const done: DoneOperation[] = []
  let known = existing
  let from = 0
  const outcomes = jobs.map((job) => {
    const plan = planWrite(prepared.slice(from, from + job.parsed.length), known, job.now)
    from += job.parsed.length
    known = plan.known
    writes.push(...plan.writes)
    // A write that changed nothing may be repeated, so its operation id is not stored.
    if (plan.writes.length > 0) done.push(...putOperation(job.operation, job.now, job.parsed, plan.outcomes))
    return plan.outcomes
  })
  // One of several callers must not abort the shared transaction.
  const signal = jobs.length === 1 ? jobs[0]?.signal : undefined
  const tell = (written: number) =>
    ports.emit({ type: 'progress', operation: 'put', done: written, total: writes.length })
  const committed = await inSteps(ports, store.commit(writes, done), { signal, tell })
  await afterCommit(ports, committed)
  return outcomes.map((records) => ({ records, revision: committed.revision, durability: storage.durability }))
}

function checkBatch(batch: unknown): void {
  if (!Array.isArray(batch))
    throw recallError('INVALID_ARGUMENT', 'must be an array of records', {
      field: 'records',
      value: batch,
      hint: 'Give one record or an array.',
    })
  if (batch.length > tuning.maxPutBatch) {
    throw recallError('INVALID_ARGUMENT', `must have at most ${tuning.maxPutBatch} records`, {
      field: 'records',
      value: batch,
      hint: 'Put them in several calls.',
    })
  }
}

function parseOrReject(input: unknown, { extensions, authority }: Ports): Parsed {
  try {
    return withOwnTier(parseRecord(extensions.redactRecord(input)), authority)
  } catch (error) {
    if (!(error instanceof RecallError)) throw error
    const id =
      typeof input === 'object' && input !== null && 'id' in input && typeof input.id === 'string' ? input.id : ''
    return { rejected: error, id }
  }
}
