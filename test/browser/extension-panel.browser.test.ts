/**
 * Tests the sidebar in Chromium's own side panel, with the rights that it ships with: the icon lets it read one page, a remembered
 * text is found by its words, and joined words find their parts.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildSidebar, packFolder } from '../../demo/sidebar/build.mjs'
import { availableBrowsers, type Browser, openBrowser, type Page } from '../support/browsers/browsers.ts'
import { copyBuilt } from '../support/pages/built-app.ts'
import { demoTools as tools } from '../support/pages/demo-tools.ts'
import { serveFolder } from '../support/pages/static-server.ts'

const pages = {
  'comlink.html':
    '<title>Comlink makes WebWorkers enjoyable</title><main><p>It wraps postMessage in proxies, so a call looks local.</p></main>',
  'workers.html': '<title>Using Web Workers</title><p>Scripts can run in background threads.</p>',
  'elsewhere.html': '<title>A page elsewhere</title><p>It is on another site.</p>',
}

let folder: string
let extension: string
let site: Awaited<ReturnType<typeof serveFolder>>
/** The request of a page whose server does not answer yet. */
let answerLate: ServerResponse | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-panel-'))
  for (const [name, html] of Object.entries(pages))
    await writeFile(join(folder, name), `<!doctype html><html lang="en"><link rel="icon" href="data:,">${html}`)
  site = await serveFolder(folder, { mounts: { '/late.html': (_request, response) => void (answerLate = response) } })
  extension = join(folder, 'extension')
  await copyBuilt(buildSidebar, extension)
})

afterAll(async () => {
  await site?.close()
  await rm(folder, { recursive: true, force: true })
})

test('packs the same zip of the same folder, with the manifest at its root', () => {
  const zip = packFolder(extension)
  expect(Buffer.compare(zip, packFolder(extension))).toBe(0)
  for (const name of ['manifest.json', 'privacy.html', 'icons/128.png'])
    expect(Buffer.from(zip).includes(name)).toBe(true)
})

describe.runIf(availableBrowsers().includes('chromium'))('chromium', () => {
  let browser: Browser
  let front: Page
  let panel: Awaited<ReturnType<Browser['sidePanel']>>

  beforeAll(async () => {
    const args = [`--load-extension=${extension}`, `--disable-extensions-except=${extension}`]
    browser = await openBrowser('chromium', { args, compilesLate: true })
    front = await browser.page(`${site.url}/comlink.html`)
    await pressIcon()
    panel = await browser.sidePanel('/panel.html')
    await waitFor('one("#store .safety")')
  })

  afterAll(() => browser?.close())

  test('a press of the icon lets it remember the text of that page, which its words find', async () => {
    await waitFor('text("#here").startsWith("Comlink") && one("#access").hidden')
    await panel.evaluate(`${tools}; one('#remember').click()`)
    await waitFor('text("#state").startsWith("Remembered ✓") && text("#state").endsWith("10 words")')
    await waitFor('heading() === "No related memories"')
    await panel.evaluate(`${tools}; ask('calls through a proxy')`)
    await waitFor('text("#hits .hit h3")?.startsWith("Comlink") && heading() === "1 memory"')
    await panel.evaluate(`${tools}; ask('')`)
  })

  test('finds “WebWorkers” on a page about “Web Workers”', async () => {
    await goTo(`${site.url}/workers.html`)
    await waitFor('text("#here") === "Using Web Workers" && heading() === "Related memories"')
    expect(await read('text("#hits .hit h3")')).toMatch(/^Comlink makes WebWorkers enjoyable/)
  })

  test('corrects a misspelt word of the search, and names it', async () => {
    await panel.evaluate(`${tools}; ask('enjoyabel proxies')`)
    await waitFor('!one("#readings").hidden')
    expect(await read('text("#readings").trim()')).toBe('No memory has “enjoyabel”. Read as enjoyable×')
    await panel.evaluate(`${tools}; ask('')`)
  })

  test('brings bookmarks after a preview: they are found, with their site', async () => {
    const bookmarks =
      '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://example.org/kites#wind" ADD_DATE="1700000000">Kites in winter wind</A></DL>'
    await panel.evaluate(
      `${tools}; document.body.dispatchEvent(
      new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer(new File([args[0]], 'bookmarks.html'), new File(['\\0\\0'], 'bad.bin')) }))`,
      bookmarks,
    )
    await waitFor('text("#bring-outcome .import-found") === "Found 1 memory in 2 files: bookmarks."')
    await panel.evaluate(`${tools}; one('[data-import=add]').click()`)
    await waitFor('text("#bring-outcome .import-summary") === "1 memory added, 1 part left out."')
    await panel.evaluate(`${tools}; ask('kites in winter')`)
    await waitFor(
      'text("#hits .hit .badge") === "bookmark" && one("#hits .hit h3 a").href === "https://example.org/kites"',
    )
    await panel.evaluate(`${tools}; ask('')`)
  })

  test('says nothing of a page before its server answers', async () => {
    await panel.evaluate(`
      globalThis.asked = false
      new MutationObserver(() => (globalThis.asked ||= !document.querySelector('#access').hidden))
        .observe(document.querySelector('#access'), { attributes: true })
    `)
    await goTo(`${site.url}/late.html`)
    await vi.waitFor(() => expect(answerLate).toBeDefined(), { timeout: 20_000 })
    await panel.evaluate('new Promise((done) => setTimeout(done, 500))')
    expect(await read('globalThis.asked')).toBe(false)
    answerLate?.writeHead(200, { 'content-type': 'text/html' }).end('<title>A late page</title>')
    await waitFor('text("#here") === "A late page" && one("#access").hidden')
    expect(await read('globalThis.asked')).toBe(false)
  })

  test('control: on another site it sees the title alone, until the icon is pressed there', async () => {
    await goTo(`${site.url.replace('127.0.0.1', 'localhost')}/elsewhere.html`)
    // The title says that the browser shows this page: a press before that would allow the previous one.
    await waitFor('text("#here") === "A page elsewhere"')
    await waitFor('!one("#access").hidden && text("#remember") === "Remember it"')
    await pressIcon()
    await waitFor('one("#access").hidden')
  })

  /** The answer comes first: a page that goes away could no longer answer. */
  function goTo(url: string): Promise<void> {
    return front.evaluate('setTimeout(() => (location.href = args[0])); return null', url)
  }

  async function pressIcon(): Promise<void> {
    const { targetInfos } = await browser.devtools<{ targetInfos: readonly { targetId: string; url: string }[] }>(
      'Target.getTargets',
      { filter: [{ type: 'tab' }] },
    )
    const tab = targetInfos.find(({ url }) => url.includes('/comlink.html') || url.includes('/elsewhere.html'))
    const worker = await browser.serviceWorker('/service-worker.js')
    const id = await worker.evaluate<string>('chrome.runtime.id')
    await worker.detach()
    await browser.devtools('Extensions.triggerAction', { id, targetId: tab?.targetId })
  }

  function waitFor(condition: string): Promise<void> {
    const look = async () => {
      if (!(await read(`Boolean(${condition})`)))
        throw new Error(`Never: ${condition}\n${await read<string>('document.body.innerText')}`)
    }
    return vi.waitFor(look, { timeout: 20_000, interval: 100 })
  }

  function read<T>(expression: string): Promise<T> {
    return panel.evaluate<T>(`${tools}; return (${expression})`)
  }
})
