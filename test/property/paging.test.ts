/**
 * Tests paging: whatever the filter and the page size, every record comes once, in order, and the last page is marked
 * as the last.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ListFilter, ListOrder } from '../../src/core/model/query.ts'
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
    title: random.pick([null, 'Acorn', 'acorn', 'ACORN 2', 'Ärger', 'bark', 'Bark', 'zoo', '[x]', '😀', '\uffee']),
    summary: random.pick([null, 'the winter', 'deep winter caches', 'caches']),
    occurredAt: random.pick([null, 5, 5, -1, startOfTime]),
    createdAt: startOfTime + random.below(4),
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

const orders = (['updatedAt', 'createdAt', 'occurredAt', 'title'] as const).flatMap((by) =>
  (['asc', 'desc'] as const).map((direction) => ({ by, direction })),
)

/** A second implementation of the orders. */
function comparison({ by, direction }: ListOrder = { by: 'updatedAt' }): (a: StoredRecord, b: StoredRecord) => number {
  const sign = (direction ?? (by === 'title' ? 'asc' : 'desc')) === 'asc' ? 1 : -1
  const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  const folded = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  return (a, b) => {
    const [x, y] = [a[by], b[by]]
    if ((x === null) !== (y === null)) return x === null ? 1 : -1
    if (typeof x === 'number' && x !== y) return sign * (x - (y as number))
    if (typeof x === 'string' && x !== y) return sign * (bytes(folded(x), folded(y as string)) || bytes(x, y as string))
    return sign * bytes(a.id, b.id)
  }
}

/** Whether the record meets the filter; the texts of this file need no stemmer but for one word. */
function holds(
  { tags, kind, reasons, risks, createdAt, title, summary, body }: StoredRecord,
  filter: ListFilter,
): boolean {
  const one = (wanted: string | readonly string[] | undefined, values: readonly string[]) =>
    wanted === undefined || values.some((value) => [wanted].flat().includes(value))
  const words = [title, summary, body].join(' | ').replaceAll('caches', 'cache')
  const wanted = filter.text === '?' ? '' : (filter.text ?? '')
  const parts = wanted.match(/"[^"]+"|-?\w+/g) ?? []
  return (
    (filter.tags?.any?.some((tag) => tags.includes(tag)) ?? true) &&
    (filter.tags?.all?.every((tag) => tags.includes(tag)) ?? true) &&
    !filter.tags?.none?.some((tag) => tags.includes(tag)) &&
    one(filter.kind, [kind]) &&
    one(
      filter.reason,
      reasons.map(({ code }) => code),
    ) &&
    one(
      filter.risk,
      risks.map(({ flag }) => flag),
    ) &&
    createdAt >= (filter.time?.after ?? -Infinity) &&
    parts.every((part) => words.includes(part.replaceAll(/["-]|(?<=cache)s/g, '')) !== part.startsWith('-'))
  )
}

describe('list', () => {
  const filters: fc.Arbitrary<ListFilter> = fc.record(
    {
      tags: fc.constantFrom({ any: ['a'] }, { none: ['a'] }, { all: ['a', 'b'] }),
      kind: fc.constantFrom('note', ['decision', 'note']),
      reason: fc.constantFrom('mandatory', ['mandatory', 'user_pinned']),
      risk: fc.constant('governance_applies'),
      time: fc.record({ after: fc.integer({ min: startOfTime, max: startOfTime + 4 }) }),
      text: fc.constantFrom(
        'winter',
        'the winter',
        'cache "deep winter"',
        'jay',
        'jay nothing',
        'jay -winter',
        '-caches',
        '?',
        '',
      ),
      order: fc.record(
        {
          by: fc.constantFrom('updatedAt', 'createdAt', 'occurredAt', 'title'),
          direction: fc.constantFrom('asc', 'desc'),
        },
        { requiredKeys: ['by'] },
      ),
      limit: fc.integer({ min: 1, max: 60 }),
    },
    { requiredKeys: ['limit'] },
  )

  it('[F3] gives every record of a filter once, in one order, at any page size', async () => {
    const check = async (filter: ListFilter) => {
      const found = (await pages(filter)).flat()
      const whole = await call('list', { filter: { ...filter, limit: 1000 } })
      expect(found).toEqual(whole.items)
      expect(found).toEqual(found.toSorted(comparison(filter.order)))
      expect(found.length).toBe(everything.filter((record) => holds(record, filter)).length)
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
      for (const { reasons, risks, kind } of found) {
        if (filter.reason !== undefined) expect(reasons.length).toBe(1)
        if (filter.risk !== undefined) expect(risks.length).toBe(1)
        if (filter.kind === 'note') expect(kind).toBe('note')
      }
    }
    const everything = (await call('list', { filter: { limit: 1000 } })).items
    await fc.assert(fc.asyncProperty(filters, check), { seed, numRuns: 240 })
  })

  it.each(orders)('[F3] by $by $direction loses and repeats no record while others change', async (order) => {
    const own = await openEngine()
    const put = (ids: readonly string[], at: number, more: object = {}) =>
      own.call('put', { batch: ids.map((id, i) => ({ id, body: 'jay', ...randomFields(i), ...more })) }, at)
    const randomFields = (i: number) => ({
      title: random.below(4) === 0 ? null : `${random.pick(['a', 'B', 'b'])}${random.below(3)}`,
      occurredAt: random.below(4) === 0 ? null : random.below(5),
      createdAt: startOfTime + random.below(5),
      tags: [i % 3 === 0 ? 'few' : 'many'],
    })
    const ids = (prefix: string) => Array.from({ length: 60 }, (_, i) => `${prefix}${i}`)
    await put(ids('kept'), startOfTime + 10)
    await put(ids('other'), startOfTime + 10)
    for (const filter of [{}, { tags: { any: ['many'] } }, { tags: { any: ['few'] } }] satisfies ListFilter[]) {
      const wanted = (await own.call('list', { filter: { ...filter, order, limit: 1000 } })).items
      const kept = wanted.filter(({ id }) => id.startsWith('kept')).map(({ id }) => id)
      const seen: string[] = []
      for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page++) {
        const next: Awaited<ReturnType<typeof own.call<'list'>>> = await own.call('list', {
          filter: { ...filter, order, limit: 7, cursor },
        })
        seen.push(...next.items.map(({ id }) => id).filter((id) => id.startsWith('kept')))
        cursor = next.nextCursor
        // The record at which the page ended may change, too.
        await put(
          ['other1', 'other30', next.items.at(-1)?.id ?? ''].filter((id) => id.startsWith('other')),
          startOfTime + 20 + page,
        )
        await put([`new${page}`], startOfTime + 20 + page)
        await own.call('forget', { ids: [`other${2 + page}`] })
      }
      expect(seen).toEqual(kept)
    }
  })

  it('is refused with an order or text that it does not know, and a cursor of another order', async () => {
    const refusal = async (filter: object) => {
      const error: unknown = await call('list', { filter }).catch((thrown: unknown) => thrown)
      return error as { readonly code: string; readonly field: string }
    }
    expect(await refusal({ order: { by: 'size' } })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'filter.order.by',
    })
    expect(await refusal({ order: {} })).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'filter.order.by' })
    expect(await refusal({ order: 'title' })).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'filter.order' })
    expect(await refusal({ order: { by: 'title', direction: 'up' } })).toMatchObject({
      field: 'filter.order.direction',
    })
    expect(await refusal({ text: 5 })).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'filter.text' })
    expect(await refusal({ text: 'a'.repeat(5000) })).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'filter.text' })
    const many = Array.from({ length: 300 }, (_, i) => `w${i}`).join(' ')
    expect(await refusal({ text: many })).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'filter.text' })
    const { nextCursor } = await call('list', { filter: { limit: 1 } })
    expect(await refusal({ limit: 1, cursor: nextCursor, order: { by: 'title' } })).toMatchObject({
      code: 'INVALID_CURSOR',
    })
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
