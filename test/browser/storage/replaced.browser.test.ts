/**
 * [P4] Checks that replaced text leaves the files of a store in OPFS: one second after the last write, when the page
 * goes away, and after a kill once the store is open again. The raw files of the browser's profile are searched.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, openBrowser, type Page } from '../../support/browsers/browsers.ts'
import { type BundledPage, bundlePage } from '../../support/pages/bundle-page.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

let bundle: BundledPage
let server: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  bundle = await bundlePage(`
    window.openStore = async () => { window.store = await scrubjay.openRecall({ name: 'replaced', embedder: null }) }
    window.plant = async (words) => {
      await store.put(Array.from({ length: 50 }, (_, i) => ({ id: 'note' + i, body: 'ordinary note number ' + i })))
      await store.put(words.map((word, i) => ({ id: 'secret' + i, title: 'a key', body: 'the key is ' + word + ' for now' })))
      await store.put({ id: 'after', body: 'one more' })
    }
    window.replace = {
      put: (n) => store.put(Array.from({ length: n }, (_, i) => ({ id: 'secret' + i, body: 'replaced' }))),
      patch: async (n) => { for (let i = 0; i < n; i++) await store.patch('secret' + i, { body: 'replaced' }) },
      merge: async (n) => {
        const other = await scrubjay.openRecall({ name: 'other', storage: 'memory', embedder: null })
        const updatedAt = Date.now() + 1e6
        await other.put(Array.from({ length: n }, (_, i) => ({ id: 'secret' + i, body: 'replaced', updatedAt })))
        const parts = []
        for await (const part of other.exportTo()) parts.push(part)
        await store.importFrom(parts, { mode: 'merge' })
        await other.close()
      },
    }
    window.isReady = true`)
  server = await serveFolder(bundle.folder)
})

afterAll(async () => {
  await server.close()
  await bundle.remove()
})

const words = Array.from({ length: 20 }, (_, i) => `qzx${String.fromCharCode(97 + i).repeat(3)}wvbnmkjhg${i}`)
const restMs = 1_400

describe.runIf(availableBrowsers().includes('chromium'))('replaced text in chromium', () => {
  test('[P4] by put, patch and merge: in no file after a second of rest', async () => {
    await withProfile(async ({ page, found }) => {
      for (const how of ['put', 'patch', 'merge']) {
        await page.evaluate('(words) => plant(words)', words)
        expect(await found(), how).toBeGreaterThan(0)
        await page.evaluate('(how, n) => replace[how](n)', how, words.length)
        await pause(restMs)
        expect(await found(), how).toBe(0)
      }
    })
  }, 120_000)

  test('[P4] in no file once the page is gone, though the browser is killed at once', async () => {
    await withProfile(async ({ browser, page, found }) => {
      await page.evaluate('(words) => plant(words)', words)
      await page.evaluate('(n) => replace.put(n)', words.length)
      // Like a closed tab: the page gets an event, and nothing waits for it.
      await page.evaluate(`window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false }))`)
      await browser.kill()
      expect(await found()).toBe(0)
    })
  }, 120_000)

  test('[P4] control: a browser that is killed before the second is over leaves it, until the store is open again', async () => {
    await withProfile(async ({ browser, page, found, profileDir }) => {
      await page.evaluate('(words) => plant(words)', words)
      await page.evaluate('(n) => replace.put(n)', words.length)
      await browser.kill()
      expect(await found()).toBeGreaterThan(0)
      const again = await openBrowser('chromium', { profileDir, compilesLate: true })
      try {
        await openPage(again)
        await pause(restMs)
        expect(await found()).toBe(0)
      } finally {
        await again.close()
      }
    })
  }, 120_000)
})

interface Opened {
  readonly browser: Browser
  readonly page: Page
  readonly profileDir: string
  /** How often the words occur in the files of the origin. */
  found(): Promise<number>
}

async function withProfile(work: (opened: Opened) => Promise<void>): Promise<void> {
  const profileDir = await mkdtemp(join(tmpdir(), 'scrubjay-replaced-'))
  const browser = await openBrowser('chromium', { profileDir, compilesLate: true })
  try {
    const page = await openPage(browser)
    await work({ browser, page, profileDir, found: () => countWords(profileDir) })
  } finally {
    await browser.close()
    await rm(profileDir, { recursive: true, force: true })
  }
}

async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.page(`${server.url}/`)
  await page.evaluate(`while (!window.isReady) await new Promise((resolve) => setTimeout(resolve, 10))`)
  await page.evaluate('openStore()')
  return page
}

async function countWords(profileDir: string): Promise<number> {
  let found = 0
  for (const entry of await readdir(profileDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.parentPath.includes('File System')) continue
    const text = (await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0))).toString('latin1')
    // The beginning of a term may be shared with its neighbour in the text index: the rest must be gone, too.
    for (const word of words) found += text.split(word.slice(6)).length - 1
  }
  return found
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
