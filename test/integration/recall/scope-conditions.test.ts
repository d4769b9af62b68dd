/** Tests the conditions of scopes on times and metadata: what they hold, and what is rejected. */
import { describe, expect, test } from 'vitest'
import type { Scope } from '../../../src/core/model/query.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const { call } = await openEngine({ metadataKeys: ['price', 'lang'] })
await call('put', {
  batch: [
    { id: 'a', body: 'jay', createdAt: 10, updatedAt: 30, occurredAt: 5, metadata: { price: 2, lang: 'de' } },
    { id: 'b', body: 'jay', createdAt: 20, updatedAt: 20, metadata: { price: 10.5, lang: 'en' } },
    { id: 'c', body: 'jay', createdAt: 30, updatedAt: 40, occurredAt: 15, metadata: { price: '7', lang: ['de'] } },
    { id: 'd', body: 'jay', createdAt: 40, updatedAt: 50, occurredAt: 25, metadata: { lang: 'fr' } },
  ],
})

const idsIn = async (scope: Scope) => (await call('list', { filter: scope })).items.map(({ id }) => id).sort()

describe('a scope', () => {
  test.each<[Scope, string]>([
    [{ time: { after: 20 } }, 'bcd'],
    [{ time: { of: 'createdAt', after: 20, before: 40 } }, 'bc'],
    [{ time: { of: 'updatedAt', after: 30, before: 50 } }, 'ac'],
    [{ time: { of: 'occurredAt', after: 0 } }, 'acd'],
    [{ time: { of: 'occurredAt', before: 15 } }, 'a'],
    [{ time: { of: 'occurredAt' } }, 'abcd'],
    [{ metadata: { lang: ['de', 'fr'] } }, 'ad'],
    [{ metadata: { lang: [] } }, ''],
    [{ metadata: { price: { from: 2 } } }, 'ab'],
    [{ metadata: { price: { from: 2, before: 10.5 } } }, 'a'],
    [{ metadata: { price: { before: 100 } } }, 'ab'],
    [{ metadata: { price: { from: '' } } }, 'c'],
    [{ metadata: { lang: { from: 'dd', before: 'fr' } } }, 'ab'],
    [{ metadata: { lang: { before: 'en' }, price: [2, '7'] } }, 'a'],
  ])('%j holds %s', async (scope, ids) => {
    expect((await idsIn(scope)).join('')).toBe(ids)
    expect(await call('count', { scope })).toBe(ids.length)
    const { hits } = await call('recall', { query: { text: 'jay', scope, collapse: 'none' } })
    expect(
      hits
        .map(({ id }) => id)
        .sort()
        .join(''),
    ).toBe(ids)
  })

  test('forgets the records of a range', async () => {
    const own = await openEngine({ metadataKeys: ['price'] })
    await own.call('put', { batch: [1, 2, 3].map((price) => ({ id: `p${price}`, body: 'jay', metadata: { price } })) })
    await own.call('forget', { scope: { metadata: { price: { from: 2, before: 3 } } } })
    expect((await own.call('list', { filter: {} })).items.map(({ id }) => id).sort()).toEqual(['p1', 'p3'])
  })

  test.each<[unknown, string, string]>([
    [{ time: { of: 'validFrom' } }, 'scope.time.of', 'must be one of createdAt, updatedAt, occurredAt'],
    [{ time: { after: new Date(5) } }, 'scope.time.after', 'must be a finite number of milliseconds'],
    [{ metadata: { price: {} } }, 'scope.metadata.price', 'must have a bound'],
    [{ metadata: { price: { from: 1, before: 'a' } } }, 'scope.metadata.price.before', 'must be of the type of from'],
    [{ metadata: { price: { from: true } } }, 'scope.metadata.price.from', 'must be a finite number or a string'],
    [{ metadata: { price: { from: Number.NaN } } }, 'scope.metadata.price.from', 'must be a finite number or a string'],
    [{ metadata: { price: { below: 1 } } }, 'scope.metadata.price.below', 'must be a known field'],
    [{ metadata: { price: [1, null] } }, 'scope.metadata.price[1]', 'must be a string, a number or a boolean'],
    [{ metadata: { price: null } }, 'scope.metadata.price', 'must be a string, a number, a boolean, a list of these'],
    [{ metadata: { size: { from: 1 } } }, 'scope.metadata.size', 'must be a declared metadata key'],
  ])('%j is rejected at %s', async (scope, field, problem) => {
    const error = await call('count', { scope: scope as Scope }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', field })
    expect(String((error as Error).message)).toContain(problem)
    expect((error as { hint?: string }).hint).toBeTruthy()
  })
})
