/** Tests facets: what is counted, in which order, and what is rejected. `property/scopes.test.ts` compares counts with an oracle. */
import { describe, expect, test } from 'vitest'
import type { FacetRequest } from '../../../src/core/model/query.ts'
import { createFacetColumn, facetSource } from '../../../worker/store/derived/facet-column.ts'
import { openEngine } from '../../support/stores/open-engine.ts'
import { openOver } from '../../support/stores/open-over.ts'

const { call } = await openEngine({ metadataKeys: ['price', 'lang'] })
await call('put', {
  batch: [
    { id: 'a', body: 'a blue jay', kind: 'note', tags: ['x', 'y'], metadata: { price: 2, lang: 'de' } },
    { id: 'b', body: 'two jays in winter', kind: 'note', tags: ['y'], metadata: { price: 10 } },
    { id: 'c', body: 'winter', kind: 'decision', project: 'p', metadata: { price: '2', lang: ['de'] } },
    { id: 'd', title: 'the jay', body: 'of winter', kind: 'fact', tags: ['z'], project: 'p', metadata: { price: 2 } },
  ],
})
const facets = (request: FacetRequest) => call('facets', { request })

describe('facets', () => {
  test('count all records, most first, then by code points', async () => {
    expect(await facets({ keys: ['kind', 'tags', 'project', 'session'] })).toEqual({
      matched: 4,
      facets: {
        kind: [
          { value: 'note', count: 2 },
          { value: 'decision', count: 1 },
          { value: 'fact', count: 1 },
        ],
        tags: [
          { value: 'y', count: 2 },
          { value: 'x', count: 1 },
          { value: 'z', count: 1 },
        ],
        project: [{ value: 'p', count: 2 }],
        session: [],
      },
    })
  })

  test('keep the type of metadata values', async () => {
    expect((await facets({ keys: ['metadata.price', 'metadata.lang'] })).facets).toEqual({
      'metadata.price': [
        { value: 2, count: 2 },
        { value: 10, count: 1 },
        { value: '2', count: 1 },
      ],
      'metadata.lang': [{ value: 'de', count: 1 }],
    })
  })

  test('count the records of a scope that hold all words', async () => {
    expect(await facets({ keys: ['kind'], text: 'winter jay' })).toEqual({
      matched: 2,
      facets: {
        kind: [
          { value: 'fact', count: 1 },
          { value: 'note', count: 1 },
        ],
      },
    })
    expect((await facets({ keys: ['kind'], text: 'winter -jay' })).matched).toBe(1)
    expect((await facets({ keys: [], text: 'the jay', scope: { project: 'p' } })).matched).toBe(1)
    expect((await facets({ keys: ['kind'], text: 'owl' })).facets).toEqual({ kind: [] })
  })

  test('cut the values of a key at the limit', async () => {
    expect((await facets({ keys: ['tags'], limit: 1 })).facets).toEqual({ tags: [{ value: 'y', count: 2 }] })
  })

  test('follow writes, and forget values with their records', async () => {
    const { database, ...own } = await openOver()
    const tags = async () => (await own.call('facets', { request: { keys: ['tags'] } })).facets['tags']
    await own.call('put', { batch: [{ id: 'a', body: 'jay', tags: ['secret'] }] })
    expect(await tags()).toEqual([{ value: 'secret', count: 1 }])
    await own.call('patch', { id: 'a', fields: { tags: ['open', 'secret'] } })
    await own.call('put', { batch: [{ id: 'b', body: 'owl', tags: ['open'] }] })
    expect(await tags()).toEqual([
      { value: 'open', count: 2 },
      { value: 'secret', count: 1 },
    ])
    await own.call('forget', { ids: ['a'] })
    expect(await tags()).toEqual([{ value: 'open', count: 1 }])
    const column = createFacetColumn(database, facetSource('tags'))
    const held = column.bytes()
    await own.call('put', { batch: [{ id: 'c', body: 'owl c', tags: ['a long value that only one record has'] }] })
    column.read(3)
    expect(column.bytes()).toBeGreaterThan(held + 100)
    column.forget(3)
    expect(column.bytes()).toBeLessThan(held + 300)
  })

  test.each<[unknown, string]>([
    [{}, 'request.keys'],
    [{ keys: ['size'] }, 'request.keys[0]'],
    [{ keys: ['kind', 'weather'] }, 'request.keys[1]'],
    [{ keys: ['metadata.'] }, 'request.keys[0]'],
    [{ keys: ['metadata.other'] }, 'request.keys[0]'],
    [{ keys: ['kind'], limit: 0 }, 'request.limit'],
    [{ keys: ['kind'], text: 5 }, 'request.text'],
    [{ keys: ['kind'], scope: { size: 1 } }, 'request.scope.size'],
    [{ keys: ['kind'], top: 1 }, 'request.top'],
    ['kind', 'request'],
  ])('reject %j at %s', async (request, field) => {
    const error: unknown = await facets(request as FacetRequest).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', field })
    expect((error as { readonly hint?: string }).hint).toBeTruthy()
  })
})
