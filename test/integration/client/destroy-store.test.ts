/**
 * Tests `destroyStore` in Node, where nothing is stored. Browsers: test/browser/storage/destroy-store.browser.test.ts.
 */
import { expect, test } from 'vitest'
import { destroyStore, openRecall } from '../../../src/index.ts'

test('an open store in memory is refused; a closed one leaves nothing to delete', async () => {
  const store = await openRecall({ name: 'kept nowhere', embedder: null })
  await store.put({ id: 'one', body: 'red' })
  await expect(destroyStore('kept nowhere')).rejects.toMatchObject({ code: 'STORE_BUSY', field: 'name' })
  expect(await store.count({})).toBe(1)
  await store.close()
  expect(await destroyStore('kept nowhere')).toEqual({ deleted: false })
})

test.each([undefined, null, 7, '', ' \n', 'x'.repeat(201)])(
  '[E1] %j is refused as the name of a store',
  async (name) => {
    await expect(destroyStore(name as string)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'name',
      message: expect.stringContaining('must be a string of 1 to 200 characters'),
    })
  },
)
