/** [F3] Tests the one total order, in SQL and in core: score, time, id, all descending, ids by code points. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareRanked, type Ordered } from '../../../src/core/order/order.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { openEngine, startOfTime } from '../../support/stores/open-engine.ts'

const seed = 3
/** Astral characters sort after the private use area and the presentation forms; by UTF-16 units they do not. */
const ids = [
  '😀',
  '\ue000',
  '\uffee',
  '\ufb01',
  'z',
  'Z',
  'é',
  'e\u0301',
  'a',
  'a\0',
  'a ',
  '\u{10ffff}',
  '\ud7ff',
  '~',
  '0',
]

const anyId = fc.string({ unit: 'binary', minLength: 1, maxLength: 4 })
const ordered: fc.Arbitrary<Ordered> = fc.record({
  score: fc.constantFrom(0, -0, 1, 0.1 + 0.2, 0.3, -1),
  at: fc.constantFrom(0, 1, -8.64e15),
  id: fc.oneof(fc.constantFrom(...ids), anyId),
})

describe('the order of answers', () => {
  it('[F3] is total: antisymmetric, transitive, and 0 only for the same id', () => {
    fc.assert(
      fc.property(ordered, ordered, ordered, (a, b, c) => {
        expect(Math.sign(compareRanked(a, b)) + Math.sign(compareRanked(b, a))).toBe(0)
        if (compareRanked(a, b) <= 0 && compareRanked(b, c) <= 0) expect(compareRanked(a, c)).toBeLessThanOrEqual(0)
        if (compareRanked(a, b) === 0) expect(a.id).toBe(b.id)
      }),
      { seed, numRuns: 3000 },
    )
  })

  it('[F3] is that of UTF-8 bytes', () => {
    const bytes = new TextEncoder()
    fc.assert(
      fc.property(anyId, anyId, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(bytes.encode(a), bytes.encode(b)))
      }),
      { seed, numRuns: 3000 },
    )
  })
})

describe('ties', () => {
  const batch = fc.sample(anyId, { seed, numRuns: 120 }).concat(ids)
  const distinct = [...new Set(batch)]
  /** Each test has a store of its own: one of them adds a record. */
  const openTies = async () => {
    const { call } = await openEngine()
    await call('put', { batch: distinct.map((id) => ({ id, body: 'jay', createdAt: startOfTime })) })
    return call
  }
  const expected = distinct.toSorted((a, b) => compareCodePoints(b, a))

  it('[F3] are ordered alike by a ranking, by a listing and by list()', async () => {
    const call = await openTies()
    const idsOf = async (query: object) =>
      (await call('recall', { query: { limit: 1000, collapse: 'none', ...query } })).hits.map(({ id }) => id)
    expect(await idsOf({ text: 'jay' })).toEqual(expected)
    expect(await idsOf({})).toEqual(expected)
    expect((await call('list', { filter: { limit: 1000 } })).items.map(({ id }) => id)).toEqual(expected)
  })

  it('[F3] control: the order of UTF-16 units differs', () => {
    expect(distinct.toSorted((a, b) => (a < b ? 1 : -1))).not.toEqual(expected)
  })

  it('[F3] are ordered by time before id', async () => {
    const call = await openTies()
    await call('put', { batch: [{ id: '0', body: 'jay', tags: ['new'] }] }, startOfTime + 1)
    expect((await call('recall', { query: { text: 'jay', collapse: 'none' } })).hits[0]?.id).toBe('0')
    expect((await call('list', { filter: {} })).items[0]?.id).toBe('0')
  })
})
