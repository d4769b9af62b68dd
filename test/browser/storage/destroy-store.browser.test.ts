/**
 * Tests `destroyStore(name)` in real browsers: nothing of the store is left, other stores and the cached table stay, a
 * store open in any tab is refused, and one whose data vanished can be created again. In Chromium the raw files of the
 * profile are searched, too.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, openBrowser, type Page } from '../../support/browsers/browsers.ts'
import { isInDetail } from '../../support/browsers/detail.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { type BundledPage, bundlePage } from '../../support/pages/bundle-page.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

interface Kept {
  readonly folders: readonly string[]
  readonly databases: readonly string[]
  readonly notes: readonly string[]
}

let bundle: BundledPage
let server: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  bundle = await bundlePage(`
    let store
    const failure = (error) => ({ code: error.code, field: error.field, message: error.message })
    window.open_ = async (name, storage) => { store = await scrubjay.openRecall({ name, storage, embedder: null }) }
    window.plant = (words) => store.put(words.map((word, i) => ({ id: 'r' + i, body: 'the key is ' + word })))
    window.count = () => store.count({})
    window.close_ = () => store.close()
    window.destroy = (name) => scrubjay.destroyStore(name).catch(failure)
    window.vanish = async () => {
      const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('scrubjay')
      for await (const folder of root.keys()) await root.removeEntry(folder, { recursive: true })
    }
    window.openFailure = (name) => scrubjay.openRecall({ name, embedder: null }).then(() => null, failure)
    window.makeForeign = () => new Promise((resolve, reject) => {
      const request = indexedDB.open('scrubjay-files', 1)
      request.onupgradeneeded = () => request.result.createObjectStore('files').put('a table', 'table')
      request.onsuccess = () => { request.result.close(); resolve() }
      request.onerror = () => reject(request.error)
    })
    window.kept = async () => {
      const folders = []
      const root = await navigator.storage?.getDirectory?.().then((all) => all.getDirectoryHandle('scrubjay')).catch(() => null)
      for await (const folder of root?.keys() ?? []) folders.push(folder)
      const databases = (await indexedDB.databases()).map(({ name }) => name)
      const notes = (await (await caches.open('scrubjay-homes')).keys()).map(({ url }) => new URL(url).pathname.slice(1))
      return { folders: folders.sort(), databases: databases.sort(), notes: notes.sort() }
    }
    window.isReady = true`)
  server = await serveFolder(bundle.folder)
})

afterAll(async () => {
  await server.close()
  await bundle.remove()
})

const words = Array.from({ length: 20 }, (_, i) => `qzx${String.fromCharCode(97 + i).repeat(3)}wvbnmkjhg${i}`)
const kinds = ['opfs', 'indexeddb'] as const

describe.each(availableBrowsers())('%s', (kind) => {
  let profileDir: string
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    profileDir = await mkdtemp(join(tmpdir(), 'scrubjay-destroyed-'))
    // The files of Chromium's profile are searched.
    browser =
      kind === 'chromium' ? await openBrowser(kind, { compilesLate: true, profileDir }) : await shareBrowser(kind)
    page = await openPage(browser)
  })
  afterAll(async () => {
    await browser.close()
    await rm(profileDir, { recursive: true, force: true })
  })

  const fill = async (on: Page, name: string, storage: string, given: readonly string[]) => {
    await on.evaluate('(name, storage) => open_(name, storage)', name, storage)
    await on.evaluate('(words) => plant(words)', given)
  }
  const destroy = (on: Page, name: unknown) => on.evaluate<unknown>('(name) => destroy(name)', name)

  test.each(kinds.filter((storage) => isInDetail(kind) || (storage === 'indexeddb') === (kind === 'webkit')))(
    'a store in %s: all of it is deleted, other stores and the cached table stay',
    async (storage) => {
      await page.evaluate('makeForeign()')
      await fill(page, `stays ${storage}`, storage, ['something else'])
      await page.evaluate('close_()')
      const before = await page.evaluate<Kept>('kept()')
      await fill(page, `goes ${storage}`, storage, words)
      expect(await destroy(page, `goes ${storage}`)).toMatchObject({ code: 'STORE_BUSY', field: 'name' })
      await page.evaluate('close_()')
      expect(await page.evaluate<Kept>('kept()')).not.toEqual(before)
      if (kind === 'chromium' && storage === 'opfs') expect(await countWords(profileDir)).toBeGreaterThan(0)
      expect(await destroy(page, `goes ${storage}`)).toEqual({ deleted: true })
      expect(await page.evaluate<Kept>('kept()')).toEqual(before)
      expect(before.databases).toContain('scrubjay-files')
      if (kind === 'chromium' && storage === 'opfs') expect(await countWords(profileDir)).toBe(0)
      expect(await destroy(page, `goes ${storage}`)).toEqual({ deleted: false })
      await page.evaluate('(name, storage) => open_(name, storage)', `stays ${storage}`, storage)
      expect(await page.evaluate('count()')).toBe(1)
      await page.evaluate('close_()')
      await page.evaluate('(name, storage) => open_(name, storage)', `goes ${storage}`, storage)
      expect(await page.evaluate('count()')).toBe(0)
      await page.evaluate('close_()')
    },
  )

  test('a store that another tab has open is refused, and keeps all its data', async () => {
    const other = await openPage(browser)
    await fill(other, 'busy', 'auto', words)
    const refused = await destroy(page, 'busy')
    expect(refused).toMatchObject({ code: 'STORE_BUSY', message: expect.stringContaining('Close it in every tab') })
    expect(await other.evaluate('count()')).toBe(words.length)
    await other.evaluate('close_()')
    expect(await destroy(page, 'busy')).toEqual({ deleted: true })
    await other.close()
  })

  test.runIf(kind !== 'webkit')('a store whose data vanished reports it, and can be created again', async () => {
    await fill(page, 'vanished', 'opfs', words)
    await page.evaluate('close_()')
    await page.evaluate('vanish()')
    const refused = await page.evaluate<unknown>(`openFailure('vanished')`)
    expect(refused).toMatchObject({ code: 'DATA_MISSING', message: expect.stringContaining('destroyStore(name)') })
    expect(await destroy(page, 'vanished')).toEqual({ deleted: true })
    expect(await page.evaluate(`openFailure('vanished')`)).toBe(null)
  })

  test('a malformed name is refused', async () => {
    for (const name of ['', '   ', 7, null, 'x'.repeat(201)]) {
      expect(await destroy(page, name)).toMatchObject({ code: 'INVALID_CONFIG', field: 'name' })
    }
  })
})

async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.page(`${server.url}/`)
  await page.evaluate(`while (!window.isReady) await new Promise((resolve) => setTimeout(resolve, 10))`)
  return page
}

async function countWords(profileDir: string): Promise<number> {
  let found = 0
  for (const entry of await readdir(profileDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.parentPath.includes('File System')) continue
    const text = (await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0))).toString('latin1')
    for (const word of words) found += text.split(word.slice(6)).length - 1
  }
  return found
}
