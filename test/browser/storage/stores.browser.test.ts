/**
 * Tests `stores()` in real browsers: it lists open, closed, damaged and missing stores of OPFS and IndexedDB with their names and sizes,
 * opens none, and does not disturb a tab that has one open.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { detailIn, isInDetail } from '../../support/browsers/detail.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { type BundledPage, bundlePage } from '../../support/pages/bundle-page.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

interface Listed {
  readonly name: string | null
  readonly storage: string
  readonly bytes: number
  readonly missing: boolean
}

let bundle: BundledPage
let server: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  bundle = await bundlePage(`
    const started = []
    const Native = window.Worker
    window.Worker = class extends Native { constructor(...given) { super(...given); started.push(String(given[0])) } }
    let store
    window.started = () => started.length
    window.list = () => scrubjay.stores()
    window.failure = (options) => scrubjay.stores(options).then(() => null, (error) => ({ code: error.code, field: error.field }))
    window.open_ = async (name, storage) => { store = await scrubjay.openRecall({ name, storage, embedder: null }) }
    window.plant = (count) => store.put(Array.from({ length: count }, (_, i) => ({ id: 'r' + i, body: 'acorn ' + i + ' under the oak' })))
    window.count = () => store.count({})
    window.close_ = () => store.close()
    window.openFailure = (name) => scrubjay.openRecall({ name, embedder: null }).then((opened) => opened.close().then(() => null), (error) => error.code)
    window.destroy = (name) => scrubjay.destroyStore(name)
    const folders = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('scrubjay')
    const sizeIn = async (folder) => {
      let sum = 0
      for await (const entry of folder.values()) sum += entry.kind === 'file' ? (await entry.getFile()).size : await sizeIn(entry)
      return sum
    }
    const request = (made) => new Promise((resolve, reject) => { made.onsuccess = () => resolve(made.result); made.onerror = () => reject(made.error) })
    const databaseOf = async (begin) => (await indexedDB.databases()).find(({ name }) => name.startsWith('scrubjay/' + begin)).name
    window.sizeOf = async (begin, storage) => {
      if (storage === 'opfs') {
        const root = await folders()
        for await (const name of root.keys()) if (name.startsWith(begin)) return sizeIn(await root.getDirectoryHandle(name))
      }
      const database = await request(indexedDB.open(await databaseOf(begin)))
      const values = await request(database.transaction('bytes').objectStore('bytes').getAll())
      database.close()
      return values.reduce((sum, value) => sum + (value.length ?? 0), 0)
    }
    window.vanish = async (begin, storage) => {
      if (storage === 'opfs') {
        const root = await folders()
        for await (const name of root.keys()) if (name.startsWith(begin)) await root.removeEntry(name, { recursive: true })
      } else await request(indexedDB.deleteDatabase(await databaseOf(begin)))
    }
    window.damage = async (begin, storage) => {
      if (storage === 'opfs') {
        const root = await folders()
        for await (const name of root.keys()) {
          if (!name.startsWith(begin)) continue
          const opaque = await (await (await root.getDirectoryHandle(name)).getDirectoryHandle('pool')).getDirectoryHandle('.opaque')
          for await (const file of opaque.values()) {
            const stream = await file.createWritable({ keepExistingData: true })
            await stream.write({ type: 'write', position: 0, data: new Uint8Array(64).fill(7) })
            await stream.close()
          }
        }
        return
      }
      const database = await request(indexedDB.open(await databaseOf(begin)))
      const values = database.transaction('bytes', 'readwrite').objectStore('bytes')
      for (const key of ['state/1', 'state/2']) await request(values.put(new Uint8Array(64), key))
      database.close()
    }
    window.notes = async () => (await (await caches.open('scrubjay-homes')).keys()).map(({ url }) => url)
    window.rewriteNote = async (begin, text) => {
      const cache = await caches.open('scrubjay-homes')
      for (const key of await cache.keys()) {
        if (!new URL(key.url).pathname.slice(1).startsWith(begin)) continue
        if (text === null) await cache.delete(key)
        else await cache.put(key, new Response(text))
      }
    }
    window.rewriteOwner = async (begin) => {
      const database = await request(indexedDB.open(await databaseOf(begin)))
      await request(database.transaction('bytes', 'readwrite').objectStore('bytes').put('0f8e', 'owner'))
      database.close()
    }
    window.databases = async () => (await indexedDB.databases()).length
    // WebKit forgets the caches of a session without a profile when no page uses them.
    await caches.open('held')
    window.isReady = true`)
  server = await serveFolder(bundle.folder)
})

afterAll(async () => {
  await server.close()
  await bundle.remove()
})

describe.each(availableBrowsers())('%s', (kind) => {
  const detail = detailIn(kind)
  let browser: Browser
  let page: Page
  const kinds = (['opfs', 'indexeddb'] as const).filter(
    (storage) => isInDetail(kind) || (storage === 'indexeddb') === (kind === 'webkit'),
  )

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await openPage(browser)
  })
  afterAll(() => browser.close())

  const fill = async (on: Page, name: string, storage: string, count = 5) => {
    await on.evaluate('(name, storage) => open_(name, storage)', name, storage)
    await on.evaluate('(count) => plant(count)', count)
  }
  const list = () => page.evaluate<Listed[]>('list()')
  const find = async (name: string | null) => (await list()).filter((one) => one.name === name)
  const clear = async () => {
    for (const { name } of await list()) if (name !== null) await page.evaluate('(name) => destroy(name)', name)
  }

  test('nothing is listed, and nothing is created, where there is no store', async () => {
    expect(await list()).toEqual([])
    expect(await page.evaluate('databases()')).toBe(0)
    expect(await page.evaluate('caches.has("scrubjay-homes")')).toBe(false)
    expect(await page.evaluate('started()')).toBe(0)
  })

  test.each(kinds)('stores in %s have their names and sizes, open or closed', async (storage) => {
    const odd = ['Zwei Wörter', '日本 "quoted"', `lone ${'\ud800'}`]
    const names = ['plain', ...(isInDetail(kind) ? odd : [odd.join(' ')])]
    for (const name of names) {
      await fill(page, name, storage, name === 'plain' ? 200 : 5)
      await page.evaluate('close_()')
    }
    const before = await page.evaluate('started()')
    const listed = await list()
    expect(await page.evaluate('started()')).toBe(before)
    expect(listed.map(({ name }) => name)).toEqual([...names].sort())
    for (const one of listed) expect(one).toMatchObject({ storage, missing: false })
    const real = await page.evaluate<number>('(begin, storage) => sizeOf(begin, storage)', 'plain', storage)
    const found = listed.find(({ name }) => name === 'plain')!.bytes
    if (storage === 'opfs') expect(found).toBe(real)
    else expect(Math.abs(found - real)).toBeLessThan(3 * 65_536)

    const other = await openPage(browser)
    await fill(other, 'plain', storage, 300)
    expect(await find('plain')).toMatchObject([{ storage, missing: false, bytes: expect.any(Number) }])
    await other.evaluate('(count) => plant(count)', 310)
    expect(await other.evaluate('count()')).toBe(310)
    await other.evaluate('close_()')
    await other.close()
    await clear()
    expect(await list()).toEqual([])
  })

  test.each(kinds)('damaged and missing stores in %s are listed, and can be deleted', async (storage) => {
    for (const name of ['is damaged', 'is gone']) {
      await fill(page, name, storage)
      await page.evaluate('close_()')
    }
    await page.evaluate('(begin, storage) => damage(begin, storage)', 'is-damaged', storage)
    await page.evaluate('(begin, storage) => vanish(begin, storage)', 'is-gone', storage)
    expect(await list()).toMatchObject([
      { name: 'is damaged', storage, missing: false },
      { name: 'is gone', storage, missing: true, bytes: 0 },
    ])
    expect(await page.evaluate(`openFailure('is damaged')`)).toBe('STORE_CORRUPT')
    expect(await page.evaluate(`openFailure('is gone')`)).toBe('DATA_MISSING')
    await clear()
    expect(await list()).toEqual([])
  })

  detail.each(kinds)('a note of an older release in %s gets its name when the store is opened', async (storage) => {
    await fill(page, 'An older one', storage)
    await page.evaluate('close_()')
    await page.evaluate('(begin, text) => rewriteNote(begin, text)', 'an-older-one', storage)
    if (storage === 'indexeddb') await page.evaluate('(begin) => rewriteOwner(begin)', 'an-older-one')
    expect(await find(null)).toMatchObject([{ name: null, storage, missing: false }])
    await page.evaluate('(name, storage) => open_(name, storage)', 'An older one', storage)
    expect(await page.evaluate('count()')).toBe(5)
    await page.evaluate('close_()')
    expect(await find('An older one')).toMatchObject([{ storage, missing: false }])
    await clear()
  })

  detail.each(kinds)(
    'without its note, a store in %s is found by what it left; control: its name is not always',
    async (storage) => {
      for (const name of ['simple-name', 'Not so simple']) {
        await fill(page, name, storage)
        await page.evaluate('close_()')
      }
      await page.evaluate('(begin, text) => rewriteNote(begin, text)', 'simple', null)
      await page.evaluate('(begin, text) => rewriteNote(begin, text)', 'not', null)
      if (storage === 'indexeddb') {
        expect(await find('Not so simple')).toMatchObject([{ storage, missing: false }])
        await page.evaluate('(begin) => rewriteOwner(begin)', 'not')
      }
      expect(await list()).toMatchObject([
        { name: 'simple-name', storage, missing: false },
        { name: null, storage, missing: false },
      ])
      for (const name of ['simple-name', 'Not so simple']) await page.evaluate('(name) => destroy(name)', name)
      expect(await list()).toEqual([])
    },
  )

  detail('[E1] a folder and unknown options are refused; a store in memory is in no list', async () => {
    expect(await page.evaluate('failure({ folder: "data" })')).toEqual({ code: 'INVALID_CONFIG', field: 'folder' })
    expect(await page.evaluate('failure({ kind: "opfs" })')).toEqual({ code: 'INVALID_CONFIG', field: 'kind' })
    await fill(page, 'in memory', 'memory')
    expect(await list()).toEqual([])
    await page.evaluate('close_()')
  })
})

async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.page(`${server.url}/`)
  await page.evaluate(`while (!window.isReady) await new Promise((resolve) => setTimeout(resolve, 10))`)
  return page
}
