/** Tests what a page finds in IndexedDB, over databases of the test's own. Real browsers: test/browser/storage/stores.browser.test.ts. */
import { afterEach, expect, test, vi } from 'vitest'
import { findInIndexedDb } from '../../../src/client/listing/indexeddb.ts'
import { databasePrefix, formatOwner, ownerKey, stateKeys } from '../../../src/protocol/store-directory.ts'

type Values = Readonly<Record<string, unknown>>

/** An interface with these databases of one object store. Opening another one creates it, unless the upgrade is aborted. */
function useDatabases(all: Readonly<Record<string, Values>>, canList = true) {
  const stubs = { closed: 0, created: [] as string[] }
  const answer = (result: unknown) => {
    const request = { result, onsuccess: () => undefined }
    queueMicrotask(() => request.onsuccess())
    return request
  }
  const databaseOf = (values: Values) => ({
    transaction: () => ({
      objectStore: () => ({
        get: (key: string) => answer(values[key]),
        getAllKeys: () => answer(Object.keys(values)),
      }),
    }),
    close: () => stubs.closed++,
  })
  const open = (name: string) => {
    let isAborted = false
    const request = {
      result: all[name] && databaseOf(all[name]),
      error: new DOMException('aborted', 'AbortError'),
      transaction: { abort: () => (isAborted = true) },
      onupgradeneeded: () => undefined,
      onsuccess: () => undefined,
      onerror: () => undefined,
    }
    queueMicrotask(() => {
      if (all[name] !== undefined) return request.onsuccess()
      request.onupgradeneeded()
      if (isAborted) request.onerror()
      else stubs.created.push(name)
    })
    return request
  }
  const databases = async () => Object.keys(all).map((name) => ({ name }))
  vi.stubGlobal('indexedDB', canList ? { open, databases } : { open })
  return stubs
}

afterEach(() => vi.unstubAllGlobals())

const chunk = new Uint8Array(1 << 16)
const store: Values = {
  [ownerKey]: formatOwner('mark', 'my store'),
  [stateKeys[0]!]: new Uint8Array(10),
  'a/0': chunk,
  'b/12': chunk,
  'batch/7': new Uint8Array(300),
  'reserve/5000': new Uint8Array(5_000),
}

test('each store has its size without its owner’s entry, and whether it was created and is empty', async () => {
  const stubs = useDatabases({
    [`${databasePrefix}store`]: store,
    [`${databasePrefix}begun`]: { [ownerKey]: 'of an old release' },
    'of another library': store,
  })
  const found = await findInIndexedDb([])
  expect([...found!.keys()]).toEqual(['store', 'begun'])
  const bytes = 2 * 65_536 + 10 + 300 + 5_000
  expect(found!.get('store')).toEqual({ isCreated: true, isEmpty: false, isLocked: false, bytes, name: 'my store' })
  expect(found!.get('begun')).toEqual({ isCreated: false, isEmpty: true, isLocked: false, bytes: 0, name: undefined })
  expect(stubs).toEqual({ closed: 2, created: [] })
})

test('where databases cannot be listed, the known ones are looked for, and none is created', async () => {
  const stubs = useDatabases({ [`${databasePrefix}store`]: store }, false)
  expect([...(await findInIndexedDb(['store', 'gone']))!.keys()]).toEqual(['store'])
  expect(stubs.created).toEqual([])
})

test('[E1] without the interface, or where it may not be used, nothing is known; a database that cannot be read is an error', async () => {
  expect(await findInIndexedDb(['store'])).toBeNull()
  vi.stubGlobal('indexedDB', { databases: () => Promise.reject(new DOMException('sandboxed', 'SecurityError')) })
  expect(await findInIndexedDb(['store'])).toBeNull()
  vi.stubGlobal('indexedDB', {
    open() {
      throw new DOMException('the disk is gone', 'UnknownError')
    },
  })
  await expect(findInIndexedDb(['store'])).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
})
