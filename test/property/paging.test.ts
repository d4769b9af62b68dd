/**
 * Tests paging: whatever the filter and the page size, every record comes once, in order, and the last page is marked
 * as the last.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ListFilter } from '../../src/core/model/query.ts'
import type { StoredRecord } from '../../src/core/model/record.ts'
import { createRandom } from '../support/data/random.ts'
import { openEngine, startOfTime } from '../support/stores/open-engine.ts'

const seed = 88
const { call } = await openEngine()
const random = createRandom(seed)
for (let now = 0; now < 6; now++) {
  const batch = Array.from({ length: 25 }, (_, i) => ({
    id: `${random.pick(['r', '😀', '\uffee', '"', '\0'])}${now}-${i}`,
    body: 'jay',
    tags: [random.pick(['a', 'b'])],
    kind: random.pick(['note', 'decision']),
    reasons: random.below(3) === 0 ? [{ code: 'mandatory' }] : [],
    risks: random.below(3) === 0 ? [{ flag: 'governance_applies' }] : [],
  }))
  await call('put', { batch }, startOfTime + Math.floor(now / 2) + now * 0.5)
}

async function pages(filter: ListFilter): Promise<readonly (readonly StoredRecord[])[]> {
  const found: (readonly StoredRecord[])[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof call<'list'>>> = await call('list', { filter: { ...filter, cursor } })
    found.push(page.items)
    expect(page.truncated).toBe(page.nextCursor !== null)
    expect(page.limit).toBe(filter.limit ?? 100)
    if (page.nextCursor === null) return found
    expect(page.items.length).toBe(page.limit)
    cursor = page.nextCursor
  }
}

describe('list', () => {
  const filters: fc.Arbitrary<ListFilter> = fc.record(
    {
      tags: fc.constantFrom({ any: ['a'] }, { none: ['a'] }, { all: ['a', 'b'] }),
      kind: fc.constantFrom('note', ['decision', 'note']),
      reason: fc.constantFrom('mandatory', ['mandatory', 'user_pinned']),
      risk: fc.constant('governance_applies'),
      time: fc.record({ after: fc.integer({ min: startOfTime, max: startOfTime + 4 }) }),
      limit: fc.integer({ min: 1, max: 60 }),
    },
    { requiredKeys: ['limit'] },
  )

  it('[F3] gives every record of a filter once, in one order, at any page size', async () => {
    const check = async (filter: ListFilter) => {
      const found = (await pages(filter)).flat()
      const whole = await call('list', { filter: { ...filter, limit: 1000 } })
      expect(found).toEqual(whole.items)
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
      for (const { reasons, risks, kind } of found) {
        if (filter.reason !== undefined) expect(reasons.length).toBe(1)
        if (filter.risk !== undefined) expect(risks.length).toBe(1)
        if (filter.kind === 'note') expect(kind).toBe('note')
      }
    }
    await fc.assert(fc.asyncProperty(filters, check), { seed, numRuns: 120 })
  })

  it('[F3] keeps its place while other records come and go', async () => {
    const { items, nextCursor } = await call('list', { filter: { limit: 40 } })
    const rest = (await call('list', { filter: { limit: 1000 } })).items.slice(40)
    await call('put', { batch: [{ id: 'newest', body: 'jay' }] }, startOfTime + 1000)
    await call('forget', { ids: [items[39]!.id, rest[0]!.id] })
    const next = await call('list', { filter: { limit: 1000, cursor: nextCursor } })
    expect(next.items).toEqual(rest.slice(1))
  })

  it('[F3] control: the filter of the fixture splits pages amid equal times', async () => {
    const times = (await call('list', { filter: { limit: 1000 } })).items.map(({ updatedAt }) => updatedAt)
    expect(new Set(times).size).toBeLessThan(10)
  })
})
