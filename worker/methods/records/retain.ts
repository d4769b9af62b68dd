/**
 * retain: forgets the records that the store's retention configuration selects, in the same way as `forget`. A dry run only
 * lists them. It also runs after each put, in its own transaction.
 */
import { parseRetention, planRetention } from '../../../src/core/learning/retention.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import type { Answer, RequestContext, RetainRequest } from '../../../src/protocol/engine-api.ts'
import { afterCommit } from '../common/after-commit.ts'
import { inSteps } from '../common/in-steps.ts'
import type { Ports } from '../common/ports.ts'
import { mustProceed } from './forget.ts'

export interface Retention {
  retain(request: RetainRequest, context: RequestContext): Promise<Answer<'retain'>>
  /**
   * Forgets one slice of the records that are due after a put; resolves to whether more are due. `maxRecords` is enforced at
   * each put; ages are checked at most every `tuning.retentionEveryMs`.
   */
  afterPut(now: number): Promise<boolean>
}

/** Throws INVALID_CONFIG if the engine's retention configuration is invalid. */
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
    const tell = (done: number) => emit({ type: 'progress', operation: 'retain', done, total: records.length })
    const committed = await inSteps(ports, store.forget(ids, now, done), { signal, tell })
    await afterCommit(ports, committed, { erases: true })
    if (slice.isLast === false) mustProceed(committed.changed)
    tell(records.length)
    return { ...shared, revision: committed.revision }
  }

  return {
    async retain(request, context) {
      const { operation } = context
      const stored = operation === undefined ? null : ports.store.done(operation)
      if (stored === null) return carryOut({ ...request, dryRun: request.dryRun === true }, context)
      await storage.checkpoint()
      const answer = JSON.parse(stored.answer) as Pick<Answer<'retain'>, 'records' | 'isLast'>
      return { ...answer, dryRun: false, revision: stored.revision, durability: storage.durability }
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
