/**
 * retain: forgets what the store's retention says must go, on the way of every other forgetting; or, in a dry run, only
 * tells. After a put it runs by itself, in a transaction of its own right behind it.
 */
import { parseRetention, planRetention } from '../../../src/core/learning/retention.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import type { Answer, RequestContext, RetainRequest } from '../../../src/protocol/engine-api.ts'
import { settle } from '../common/after-commit.ts'
import { inSteps } from '../common/in-steps.ts'
import type { Ports } from '../common/ports.ts'

export interface Retention {
  retain(request: RetainRequest, context: RequestContext): Promise<Answer<'retain'>>
  /**
   * A slice of what is due after a put at this time; resolves to whether more is. Numbers are kept to at each put, times looked at
   * once a minute.
   */
  afterPut(now: number): Promise<boolean>
}

/** Throws INVALID_CONFIG where the engine's retention is none. */
export function createRetention(ports: Ports): Retention {
  const { storage, emit, options } = ports
  const config = options.retention ? parseRetention(options.retention) : null
  let lookedAt = Number.NEGATIVE_INFINITY
  let isUnfinished = false

  const carryOut = async (
    { dryRun = false, limit }: RetainRequest,
    { now, operation, signal }: RequestContext,
  ): Promise<Answer<'retain'>> => {
    const { store } = ports
    const due = config === null ? [] : planRetention(store.retentionRows(config), config, now)
    const records = dryRun ? due : due.slice(0, limit)
    const slice = limit === undefined ? {} : { isLast: records.length === due.length }
    const shared = { records, dryRun, durability: storage.durability, ...slice }
    if (dryRun || records.length === 0) return { ...shared, revision: store.revision() }
    const done = operation === undefined ? [] : [{ operation, at: now, answer: JSON.stringify({ records, ...slice }) }]
    const ids = records.map(({ id }) => id)
    const tell = (gone: number) => emit({ type: 'progress', operation: 'retain', done: gone, total: records.length })
    const committed = await inSteps(ports, store.forget(ids, now, done), { signal, tell })
    await settle(ports, committed)
    await storage.checkpoint()
    tell(records.length)
    return { ...shared, revision: committed.revision }
  }

  return {
    async retain(request, context) {
      const { operation } = context
      const known = operation === undefined ? null : ports.store.done(operation)
      if (known === null) return carryOut({ ...request, dryRun: request.dryRun === true }, context)
      await storage.checkpoint()
      const noted = JSON.parse(known.answer) as Pick<Answer<'retain'>, 'records' | 'isLast'>
      return { ...noted, dryRun: false, revision: known.revision, durability: storage.durability }
    },
    async afterPut(now) {
      if (config === null) return false
      const { maxAgeDays, maxIdleDays, minConfidence, maxRecords } = config
      const isFull = maxRecords !== null && ports.store.statistics(null).records > maxRecords
      const hasTimes = maxAgeDays !== null || maxIdleDays !== null || minConfidence !== null
      // An app's clock may jump back.
      const isDue = hasTimes && Math.abs(now - lookedAt) >= tuning.retentionEveryMs
      if (!isFull && !isDue && !isUnfinished) return false
      if (isDue) lookedAt = now
      const { isLast } = await carryOut({ limit: tuning.recordsPerCommit }, { now })
      isUnfinished = isLast === false
      return isUnfinished
    },
  }
}
