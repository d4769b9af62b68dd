/** Checks what a quota costs: the records that are read for it, and the time. */
import { describe, expect, it } from 'vitest'
import { deciding } from '../../../src/core/decide.ts'
import type { Facts } from '../../../src/core/model/facts.ts'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { StoredRecord } from '../../../src/core/model/record.ts'
import { type CapturedFacts, replay } from '../../../src/core/replay.ts'
import { createRandom } from '../../support/data/random.ts'
import { openEngine } from '../../support/stores/open-engine.ts'
import { flooded, space } from './flooded.ts'

describe('the records read for a quota', async () => {
  const count = 400
  const { call } = await openEngine()
  const batch = Array.from({ length: count }, (_, i) => ({
    id: `r${i}`,
    body: `jay ${'acorn '.repeat(1 + (i % 40))} ${i}`,
    source: `s${i % 50}`,
  }))
  await call('put', { batch })

  /** Decides again from captured facts, and counts the records that deciding reads. */
  const readsOf = async (query: RecallQuery) => {
    const { facts, hits } = await call('recall', { query: { ...query, capture: true } })
    const { plan, facts: complete } = facts as CapturedFacts
    const bare: Facts = { ...complete, records: new Map() }
    const records = bare.records as Map<number, StoredRecord>
    const steps = deciding({ ...plan, query }, bare)
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        expect(step.value.hits.map(({ id }) => id)).toEqual(hits.map(({ id }) => id))
        return records.size
      }
      for (const row of step.value.need.records) records.set(row, complete.records.get(row)!)
    }
  }

  it.each(['none', 'exact', 'near'] as const)('follow the limit, not the candidates: %s', async (collapse) => {
    const query = { text: 'jay acorn', collapse, perSource: 2 }
    expect(await readsOf({ ...query, limit: 5 })).toBeLessThan(count / 4)
    expect(await readsOf({ ...query, limit: 20 })).toBeLessThan(count / 2)
    // Control: a ledger needs them all.
    expect(await readsOf({ ...query, limit: 5, ledger: true })).toBe(count)
  })
})

describe('the cost of a quota', () => {
  /** How often the body of a record that is not selected is read while the recall is decided again from its facts. */
  async function readsOf(query: RecallQuery): Promise<readonly number[]> {
    const { call } = await openEngine({ space })
    await call('put', { batch: flooded(createRandom(5), 80) })
    const { receipt, facts, hits } = await call('recall', {
      query: { text: 'jay acorn', changes: 'off', capture: true, ...query },
    })
    const { plan, facts: captured } = facts as CapturedFacts
    const reads = new Map<string, number>()
    const counted = (record: StoredRecord) =>
      Object.defineProperty({ ...record }, 'body', {
        get: () => (reads.set(record.id, (reads.get(record.id) ?? 0) + 1), record.body),
      })
    const records = new Map(Array.from(captured.records, ([row, record]) => [row, counted(record)] as const))
    replay(receipt, { plan, facts: { ...captured, records } })
    for (const { id } of hits) reads.delete(id)
    return [...reads.values()]
  }

  it('[S5] each text is read once to find near-duplicates, also beyond the limit', async () => {
    const reads = await readsOf({ collapse: 'near', limit: 3, perSource: 1 })
    expect(reads.length).toBeGreaterThan(20)
    // Evidence reads the first records once more, to see who speaks.
    expect(Math.max(...reads)).toBeLessThanOrEqual(2)
    expect(reads.filter((count) => count > 1).length).toBeLessThanOrEqual(10)
  })

  it('[S5] control: equal contents are found without reading texts', async () => {
    expect(await readsOf({ collapse: 'exact', limit: 3, perSource: 1 })).toEqual([])
  })
})
