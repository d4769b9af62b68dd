/**
 * Tests `destroyStore` in Node, where nothing is stored, and with stand-ins for a page. Browsers: test/browser/storage/destroy-store.browser.test.ts.
 */

import { expose } from 'comlink'
import { afterEach, expect, test, vi } from 'vitest'
import { destroyStore, openRecall } from '../../../src/index.ts'

afterEach(() => void vi.unstubAllGlobals())

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

test.each([
  [null, 'options'],
  ['x', 'options'],
  [{ folder: 'data' }, 'folder'],
  [{ assets: null }, 'assets'],
])('[E1] %j is refused as options', async (options, field) => {
  await expect(destroyStore('notes', options as never)).rejects.toMatchObject({ code: 'INVALID_CONFIG', field })
})

test('a page asks a worker to delete the store, and ends it afterwards', async () => {
  vi.stubGlobal('document', {})
  vi.stubGlobal('Worker', class {})
  const { port1, port2 } = new MessageChannel()
  const asked: unknown[] = []
  const remove = async ({ name }: { name: string }) => {
    asked.push(name)
    return { ok: true, value: { deleted: true } }
  }
  expose({ remove }, port2)
  const terminate = vi.fn(() => port1.close())
  const worker = () => Object.assign(port1, { terminate }) as unknown as Worker
  expect(await destroyStore('notes', { assets: { worker } })).toEqual({ deleted: true })
  expect(asked).toEqual(['notes'])
  expect(terminate).toHaveBeenCalledTimes(1)
})

test('[E1] a context of a browser without workers is refused', async () => {
  vi.stubGlobal('process', Object.create(process, { versions: { value: {} } }))
  await expect(destroyStore('notes')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
})
