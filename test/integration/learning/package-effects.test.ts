/** Checks the effects of a context package: listed, applied once on acknowledgement, undone by a fault. */
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/core/model/learned.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import { first } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { readLearned } from '../../../worker/store/rows/learned/learned-rows.ts'
import { engineOptionsInWorker } from '../../support/scripted-engine.ts'
import { dump, totalChanges } from '../../support/stores/dump.ts'
import { createFaultyDatabase } from '../../support/stores/faulty-database.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { assemble, batch, confidenceOf, now, opened } from './assembling-store.ts'

/** The number of reads that count, and how many of them have a time. */
const readsOf = (id: string) => {
  const key = first(opened.database, `SELECT key FROM records WHERE id = ?`, [id], (row) => row.number(0)) ?? -1
  const { accessCount, accessedAt } = readLearned(opened.database, key)
  return [accessCount, accessedAt.length]
}

describe('the effects of a package', () => {
  it('[D2] assembling, assessing and asking why change no byte', async () => {
    await opened.call('link', { a: 'deploy', b: 'token', weight: 0.8 })
    const bytes = () => opened.database.sqlite3.capi.sqlite3_js_db_export(opened.database.pointer)
    const before = [bytes(), totalChanges(opened.database)]
    for (const policy of Object.keys(policies)) {
      const request = { text: 'deploy release', policy, assessQuality: true, suppress: true }
      const made = await assemble(request)
      expect(made.effects.reads.length).toBeGreaterThan(0)
      await opened.call('assess', { query: { cues: { a: 'deploy' }, policy } })
      await opened.call('why', { query: { text: 'deploy', policy }, id: 'token' })
      await opened.call('recall', { query: { text: 'deploy', policy } })
    }
    expect([bytes(), totalChanges(opened.database)]).toEqual(before)
    // Control: the same with its effects committed.
    await assemble({ text: 'deploy release', commitEffects: true })
    expect(bytes()).not.toEqual(before[0])
  })

  it('lists the effects it would have', async () => {
    const made = await assemble({ text: 'deploy release', maxItems: 3, suppress: true, scope: { status: 'active' } })
    expect(made.effects).toEqual({
      reads: ['deploy', 'branch'],
      surfaced: ['report'],
      suppressed: [],
      links: [['deploy', 'branch']],
      scope: '{"status":"active"}',
    })
    expect(made.receipt.effects).toEqual(made.effects)
    expect((await assemble({ text: 'deploy release', maxItems: 1, suppress: true })).effects.suppressed).toEqual([
      'branch',
    ])
    expect((await assemble({ text: 'deploy release', maxItems: 1 })).effects.suppressed).toEqual([])
  })

  it('applies them only when it is acknowledged', async () => {
    const scope = { status: 'active' as const }
    const { receipt } = await assemble({
      text: 'deploy release',
      maxItems: 1,
      reserveProactive: 1,
      suppress: true,
      scope,
    })
    const both = await assemble({ text: 'deploy release', suppress: true, scope, maxItems: 3 })
    await opened.call('acknowledge', { of: both.receipt, outcomes: { deploy: 'used', branch: 'acted' } }, now)
    expect(await opened.call('proposals', { scope }, now)).toEqual([
      { id: 'report', scope: canonicalJson(scope), reason: 'proactive', createdAt: now },
    ])
    expect(await opened.call('proposals', { scope: {} }, now)).toEqual([])
    expect(await opened.call('linked', { id: 'deploy' })).toEqual([{ id: 'branch', weight: 0.05 }])
    const once = dump(opened.database)
    await opened.call('acknowledge', { of: both.receipt, outcomes: { deploy: 'used', branch: 'acted' } }, now)
    expect(dump(opened.database)).toBe(once)
    // After its outcome the proposal is closed in the scope where it surfaced.
    await opened.call('acknowledge', { of: ['report'], outcomes: { report: 'dismissed' } }, now)
    expect(await opened.call('proposals', { scope }, now)).toEqual([])
    // What was pulled but not used loses confidence.
    await opened.call('acknowledge', { of: receipt, outcomes: {} }, now)
    expect(receipt.effects.suppressed).toEqual(['deploy', 'branch'])
    expect(await confidenceOf('deploy')).toBeCloseTo(0.4, 12)
  })

  it('applies them at once on request, and only once', async () => {
    const request = { text: 'deploy release', commitEffects: true, suppress: true, maxItems: 1 } as const
    const { receipt } = await assemble(request)
    const reads = async () =>
      (await opened.call('events', {})).filter(({ kind }) => kind === 'read').map(({ id }) => id)
    expect(await reads()).toEqual(['deploy'])
    expect(await confidenceOf('branch')).toBeCloseTo(0.4, 12)
    const accesses = () => dump(opened.database).match(/^\d+ \d+ \d+$/gm)
    // Used: already counted. Not used: the count is taken back.
    const before = accesses()
    await opened.call('acknowledge', { of: receipt, outcomes: { deploy: 'used' } }, now)
    expect(accesses()).toEqual(before)
    expect(await confidenceOf('branch')).toBeCloseTo(0.4, 12)
    const again = await assemble(request, now + 1)
    await opened.call('acknowledge', { of: again.receipt, outcomes: { deploy: 'dismissed' } }, now + 1)
    expect(accesses()).toEqual(before)
  })

  it.each<[string, readonly Record<string, Outcome>[], number]>([
    ['deferred by saying nothing', [{}], 0],
    ['deferred by name', [{ deploy: 'deferred' }], 0],
    ['deferred twice', [{}, {}], 0],
    ['of no use', [{ deploy: 'dismissed' }], 0],
    ['of no use, then contradicted', [{ deploy: 'dismissed' }, { deploy: 'contradicted' }], 0],
    ['of use', [{ deploy: 'used' }], 1],
    ['of use, and nothing said of it later', [{ deploy: 'used' }, {}], 1],
    ['deferred, and of use after all', [{}, { deploy: 'used' }], 1],
  ])('a read that was counted at once and is %s', async (_how, acknowledgements, reads) => {
    // One earlier read, which this outcome must not take back.
    const first = await assemble({ text: 'deploy release', maxItems: 1 }, now - 1)
    await opened.call('acknowledge', { of: first.receipt, outcomes: { deploy: 'used' } }, now - 1)
    const { receipt } = await assemble({ text: 'deploy release', commitEffects: true, maxItems: 1 })
    expect(readsOf('deploy')).toEqual([2, 2])
    for (const outcomes of acknowledgements) await opened.call('acknowledge', { of: receipt, outcomes }, now)
    expect(readsOf('deploy')).toEqual([1 + reads, 1 + reads])
  })

  it('[W1] a retry after a lost answer has no second effect', async () => {
    const request = { text: 'deploy release', commitEffects: true, suppress: true, maxItems: 1 }
    const context = { now, operation: 'one' }
    await opened.engine.call('assemble', { query: request }, context)
    const once = dump(opened.database)
    const again = await opened.engine.call('assemble', { query: request }, context)
    expect(again.records.map(({ id }) => id)).toEqual(['deploy'])
    expect(dump(opened.database)).toBe(once)
    await opened.engine.call('assemble', { query: request }, { now: now + 1, operation: 'two' })
    expect(dump(opened.database)).not.toBe(once)
  })

  it('[W1] a fault in any statement undoes all of it', async () => {
    const storage = await openMemory(await initSqlite(), 'faulty')
    const faulty = createFaultyDatabase(storage.database)
    const engine = createEngineOver({ ...storage, database: faulty.database }, engineOptionsInWorker, null)
    await engine.call('put', { batch }, { now: startOfTime })
    const request = { text: 'deploy release', commitEffects: true, suppress: true, maxItems: 2, reserveProactive: 1 }
    const { receipt } = await engine.call('assemble', { query: { ...request, commitEffects: false } }, { now })
    for (const work of [
      () => engine.call('assemble', { query: request }, { now: now + 1 }),
      () => engine.call('acknowledge', { of: receipt, outcomes: { deploy: 'acted' } }, { now }),
    ]) {
      const before = dump(storage.database)
      let failed = 0
      for (let n = 0; ; n++) {
        faulty.failAfter(n)
        const outcome = await work().then(
          () => 'done',
          (error: { code?: string }) => error.code,
        )
        if (outcome === 'done') break
        expect(outcome).toBe('QUOTA_EXCEEDED')
        expect(dump(storage.database)).toBe(before)
        failed++
      }
      expect(failed).toBeGreaterThan(15)
      expect(dump(storage.database)).not.toBe(before)
    }
  })
})
