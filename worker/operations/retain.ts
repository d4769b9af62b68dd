/**
 * retain: forgets what the store's retention says must go, on the way of every other forgetting; or, in a dry run, only
 * tells. After a put it runs by itself, in a transaction of its own right behind it.
 */
import { parseRetention, planRetention } from '../../src/core/dynamics/retention.ts'
import type { RetainReceipt } from '../../src/core/model/result.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import type { RequestContext } from '../../src/protocol/engine-api.ts'
import type { Ports } from '../ports.ts'
import { settle } from './settle.ts'

export interface RetainRequest {
  readonly dryRun?: boolean | undefined
}

export interface Retention {
  retain(request: RetainRequest, context: RequestContext): Promise<RetainReceipt>
  /** What is due after a put at this time. Numbers are kept to at each one, times looked at once a minute. */
  afterPut(now: number): Promise<void>
}

/** Throws INVALID_CONFIG where the engine's retention is none. */
export function createRetention(ports: Ports): Retention {
  const { storage, emit, options } = ports
  const config = options.retention ? parseRetention(options.retention) : null
  let lookedAt = Number.NEGATIVE_INFINITY

  const carryOut = async (dryRun: boolean, now: number, operation: string | undefined): Promise<RetainReceipt> => {
    const { store } = ports
    const records = config === null ? [] : planRetention(store.retentionRows(config), config, now)
    const shared = { records, dryRun, durability: storage.durability }
    if (dryRun || records.length === 0) return { ...shared, revision: store.revision() }
    const done = operation === undefined ? [] : [{ operation, at: now, answer: JSON.stringify(records) }]
    const committed = store.forget(
      records.map(({ id }) => id),
      now,
      done,
    )
    await settle(ports, committed)
    await storage.checkpoint()
    emit({ type: 'progress', operation: 'retain', done: records.length, total: records.length })
    return { ...shared, revision: committed.revision }
  }

  return {
    async retain({ dryRun = false }, { now, operation }) {
      const known = operation === undefined ? null : ports.store.done(operation)
      if (known === null) return carryOut(dryRun === true, now, operation)
      await storage.checkpoint()
      const records = JSON.parse(known.answer) as RetainReceipt['records']
      return { records, dryRun: false, revision: known.revision, durability: storage.durability }
    },
    async afterPut(now) {
      if (config === null) return
      const { maxAgeDays, maxIdleDays, minConfidence, maxRecords } = config
      const isFull = maxRecords !== null && ports.store.statistics(null).records > maxRecords
      const hasTimes = maxAgeDays !== null || maxIdleDays !== null || minConfidence !== null
      // An app's clock may jump back.
      const isDue = hasTimes && Math.abs(now - lookedAt) >= tuning.retentionEveryMs
      if (!isFull && !isDue) return
      if (isDue) lookedAt = now
      await carryOut(false, now, undefined)
    },
  }
}
