/**
 * Locked stores in real browsers, in OPFS and IndexedDB: nothing readable is stored [K1], and the promises are those of open stores [K2], and locks change
 * in every tab [K3]. Other stores do not load the ciphers.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, openBrowser, type Page } from '../../support/browsers/browsers.ts'
import { detailIn, isEverywhere, isInDetail } from '../../support/browsers/detail.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { type BundledPage, bundlePage } from '../../support/pages/bundle-page.ts'
import { serveFolder } from '../../support/pages/static-server.ts'
import { lockedPageScript } from './locked-page.ts'

let bundle: BundledPage
let site: Awaited<ReturnType<typeof serveFolder>>
/** Requests for the file with the ciphers. */
let loads = 0

beforeAll(async () => {
  bundle = await bundlePage(lockedPageScript)
  const assets = await readdir(join(bundle.folder, 'assets'))
  const ciphers = assets.find((name) => /^lock-.*\.js$/.test(name))
  const source = await readFile(join(bundle.folder, 'assets', ciphers!))
  site = await serveFolder(bundle.folder, {
    mounts: {
      [`/assets/${ciphers}`]: (_request, response) => {
        loads += 1
        response.setHeader('Content-Type', 'text/javascript').end(source)
      },
    },
  })
})

afterAll(async () => {
  await site?.close()
  await bundle?.remove()
})

const passphrase = 'seven jays in the old oak'
const right = { key: Array.from({ length: 32 }, (_, i) => 5 * i + 1) }
const other = { key: Array.from({ length: 32 }, (_, i) => 7 * i + 1) }
const wrong = { key: Array.from({ length: 32 }, (_, i) => 3 * i + 1) }

describe.each(availableBrowsers())('%s', (kind) => {
  const detail = detailIn(kind)
  let browser: Browser
  const kinds = (['opfs', 'indexeddb'] as const).filter(
    (storage) => isInDetail(kind) || (storage === 'indexeddb') === (kind === 'webkit'),
  )
  /** Locks and ciphers are the same code over pages and values: Node tests them over values. */
  const oneKind = isEverywhere ? kinds : kinds.slice(0, 1)
  const pages: Page[] = []

  beforeAll(async () => {
    // Tests in Chromium crash pages, which a shared browser could not close.
    browser = kind === 'chromium' ? await openBrowser(kind, { compilesLate: true }) : await shareBrowser(kind)
  })
  afterAll(() => browser?.close())

  const openPage = async () => {
    const page = await browser.page(`${site.url}/`)
    await page.evaluate('ready')
    pages.push(page)
    return page
  }
  const closePages = () => {
    // Not awaited: a crashed page never reports that it is closed.
    for (const page of pages.splice(0)) void page.close().catch(() => undefined)
  }
  /** The role, or the code of the error. */
  const open = (page: Page, name: string, storage: string, lock: object | null) =>
    page.evaluate<string>('(...args) => open_(...args)', name, storage, lock)
  const call = <T>(page: Page, method: string, ...args: readonly unknown[]) =>
    page.evaluate<T>('(...args) => call(...args)', method, ...args)

  test.each(kinds)(
    '[K1] %s: nothing stored holds 8 letters of a text; control: an open store does',
    async (storage) => {
      const page = await openPage()
      const before = loads
      expect(await open(page, `open ${storage}`, storage, null)).toBe('leader')
      expect(await page.evaluate<boolean>('live(1, 1)')).toBe(true)
      expect(loads, 'an open store loads the ciphers').toBe(before)
      // A passphrase takes long.
      const lock = kind === 'chromium' && storage === 'opfs' ? { passphrase } : right
      expect(await open(page, `k1 ${storage}`, storage, lock)).toBe('leader')
      expect(await page.evaluate<boolean>('live(1, 6)')).toBe(false)
      expect(loads).toBe(before + 1)
      const listed = await page.evaluate<readonly { name: string; locked?: boolean }[]>('scrubjay.stores()')
      const locked = Object.fromEntries(listed.map(({ name, locked }) => [name, locked ?? false]))
      expect(locked).toMatchObject({ [`k1 ${storage}`]: true, [`open ${storage}`]: false })
      expect(await page.evaluate('(name) => scrubjay.destroyStore(name)', `k1 ${storage}`)).toEqual({ deleted: true })
      expect(await page.evaluate<number>('(name) => entriesOf(name)', `k1 ${storage}`)).toBe(0)
      closePages()
    },
  )

  // Both kinds of storage are needed.
  test.each(kind === 'webkit' ? [] : kinds)(
    '[K1] [K2] a store in %s is encrypted as it is, and decrypted again; a crash leaves one of both',
    async (storage) => {
      const name = `converted ${storage}`
      let page = await openPage()
      const convert = (method: string, lock: object) =>
        page.evaluate('(...args) => convert(...args)', method, name, lock)
      const isReadable = () => page.evaluate<boolean>('isReadable()')
      /** Under this lock the store has all its records; closes it. */
      const holds = async (lock: object | null, at = 'auto') => {
        expect(await open(page, name, at, lock)).toBe('leader')
        expect(await page.evaluate<boolean>('isFilled(20)')).toBe(true)
        await call(page, 'close')
      }
      if (isInDetail(kind)) expect(await convert('encryptStore', right)).toBe('INVALID_ARGUMENT')
      expect(await open(page, name, storage, null)).toBe('leader')
      await page.evaluate('fill(20)')
      if (isInDetail(kind)) expect(await convert('encryptStore', right)).toBe('STORE_BUSY')
      await call(page, 'close')
      expect(await isReadable(), 'control').toBe(true)
      expect(await convert('encryptStore', right)).toBe(true)
      expect(await isReadable()).toBe(false)
      expect(await open(page, name, 'auto', null)).toBe('LOCKED')
      await holds(right)
      expect(await isReadable()).toBe(false)
      if (isInDetail(kind)) {
        expect(await convert('encryptStore', right)).toBe(false)
        expect(await convert('encryptStore', wrong)).toBe('WRONG_KEY')
        expect(await convert('decryptStore', wrong)).toBe('WRONG_KEY')
      }
      expect(await convert('decryptStore', right)).toBe(true)
      if (isInDetail(kind)) expect(await convert('decryptStore', right)).toBe(false)
      await holds(null, storage)
      for (const ms of kind === 'chromium' && storage === 'opfs' ? [60, 200] : []) {
        const isLocked = (await open(page, name, storage, null)) === 'LOCKED'
        if (!isLocked) await call(page, 'close')
        void convert(isLocked ? 'decryptStore' : 'encryptStore', right).catch(() => undefined)
        await new Promise((resolve) => setTimeout(resolve, ms))
        // The crash is never answered: the renderer is gone.
        void page.devtools('Page.crash').catch(() => undefined)
        page = await openPage()
        const after = await open(page, name, storage, null)
        expect(['leader', 'LOCKED']).toContain(after)
        if (after === 'leader') await call(page, 'close')
        await holds(after === 'LOCKED' ? right : null, storage)
        expect(await isReadable()).toBe(after !== 'LOCKED')
      }
      closePages()
    },
  )

  test.each(oneKind)(
    '[K3] %s: tabs share a store and its locks, the next one needs nothing, and each can lock all',
    async (storage) => {
      const name = `tabs ${storage}`
      const first = await openPage()
      expect(await open(first, name, storage, right)).toBe('leader')
      await call(first, 'put', { id: 'a', body: 'The jay hid an acorn.' })
      const second = await openPage()
      expect(await open(second, name, storage, null)).toBe('LOCKED')
      expect(await open(second, name, storage, wrong)).toBe('WRONG_KEY')
      expect(await open(second, name, storage, right)).toBe('follower')
      const added = await second.evaluate<{ id: string }>('(lock) => addLock(lock)', other)
      expect(await second.evaluate('store.keys.list()')).toMatchObject([{ isOwn: true }, { id: added.id }])
      // Closed, or gone without a word.
      // The crash is never answered: the renderer is gone.
      if (storage === 'opfs' && kind === 'chromium') void first.devtools('Page.crash').catch(() => undefined)
      else await call(first, 'close')
      expect(await call<{ body: string } | null>(second, 'get', 'a')).toMatchObject({ body: 'The jay hid an acorn.' })
      await second.evaluate('store.keys.list().then(([first]) => store.keys.remove(first.id))')
      const third = await openPage()
      expect(await open(third, name, storage, right)).toBe('WRONG_KEY')
      expect(await open(third, name, storage, other)).toBe('follower')
      await call(third, 'put', { id: 'b', body: 'And another one.' })
      await call(third, 'lockNow')
      expect(await second.evaluate('store.count().catch(codeOf)')).toBe('LOCKED')
      expect(await third.evaluate('store.count().catch(codeOf)')).toBe('LOCKED')
      expect(await third.evaluate<string>('(name) => salvageCode(name)', name)).toBe('LOCKED')
      expect(await open(third, name, storage, other)).toBe('leader')
      expect(await call<number>(third, 'count')).toBe(2)
      await call(third, 'close')
      // WebKit frees the connections of workers that could not open the store late, so that deleting it is refused meanwhile.
      if (kind === 'webkit') return closePages()
      expect(await third.evaluate('(name) => scrubjay.destroyStore(name)', name)).toEqual({ deleted: true })
      closePages()
    },
  )

  detail.each(oneKind)('[K4] %s: a store gets a new key, whatever ends it, and its locks stay', async (storage) => {
    const name = `new key ${storage}`
    const page = await openPage()
    expect(await open(page, name, storage, right)).toBe('leader')
    const count = kind === 'chromium' ? 150 : 5
    await page.evaluate('(count) => fill(count)', count)
    await page.evaluate('(lock) => addLock(lock)', other)
    await call(page, 'compact', { newKey: true })
    let last = page
    if (kind === 'chromium') {
      // In the middle, after the first pages.
      await page.evaluate('renewUntilProgress()')
      void page.devtools('Page.crash').catch(() => undefined)
      last = await openPage()
    } else await call(page, 'close')
    expect(await open(last, name, storage, wrong)).toBe('WRONG_KEY')
    expect(await open(last, name, storage, other)).toBe('leader')
    expect(await last.evaluate('(count) => isFilled(count)', count)).toBe(true)
    await call(last, 'compact', {})
    await call(last, 'close')
    expect(await open(last, name, storage, right)).toBe('leader')
    expect(await last.evaluate('(count) => isFilled(count)', count)).toBe(true)
    await call(last, 'close')
    closePages()
  })

  detail(
    '[K1] exports are encrypted, and open with the lock in a store that is not locked; control: plain ones',
    async () => {
      const page = await openPage()
      expect(await open(page, 'exported', 'indexeddb', right)).toBe('leader')
      await page.evaluate('fill(20)')
      expect(await page.evaluate('(...args) => moveByExport(...args)', right, wrong)).toEqual({
        readable: [false, true],
        codes: ['LOCKED', 'WRONG_KEY'],
        inserted: 20,
        isEqual: true,
      })
      await call(page, 'destroy')
      closePages()
    },
  )

  // The others have the same code, and each trial starts a worker.
  detail.each(kind === 'firefox' ? [] : oneKind)(
    '[K2] %s: changed bytes are STORE_CORRUPT or harmless, never WRONG_KEY',
    async (storage) => {
      const page = await openPage()
      const trials = kind === 'chromium' ? 3 : 2
      const outcomes = await page.evaluate<readonly string[]>(
        '(...args) => changeBytes(...args)',
        storage,
        right,
        trials,
      )
      expect(new Set([...outcomes, 'same', 'STORE_CORRUPT'])).toEqual(new Set(['same', 'STORE_CORRUPT']))
      expect(outcomes).toContain('STORE_CORRUPT')
      closePages()
    },
  )

  if (kind === 'chromium') {
    test('a locked store that moves between OPFS and IndexedDB keeps its lock', async () => {
      const page = await openPage()
      expect(await open(page, 'moved', 'indexeddb', right)).toBe('leader')
      await call(page, 'put', { id: 'a', body: 'quetzalcoatlus' })
      await call(page, 'close')
      expect(await open(page, 'moved', 'opfs', right)).toBe('leader')
      expect(await page.evaluate<boolean>('isReadable()')).toBe(false)
      await call(page, 'close')
      expect(await open(page, 'moved', 'indexeddb', wrong)).toBe('WRONG_KEY')
      expect(await open(page, 'moved', 'indexeddb', right)).toBe('leader')
      expect(await call<number>(page, 'count')).toBe(1)
      await call(page, 'destroy')
      expect(await open(page, 'moved', 'indexeddb', null)).toBe('leader')
      closePages()
    })
  }
})
