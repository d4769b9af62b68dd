/**
 * Tests the sidebar as an unpacked MV3 extension, as `npm run sidebar` builds it, in Chromium: remembers by menu, key
 * and button, finds again on related pages, forgets, keeps over reloads, restarts and stops of its service worker, and
 * logs nothing on any console. Its page is opened as a tab, which survives reloads and runs in several windows;
 * extension-panel.browser.test.ts has the side panel itself.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildSidebar } from '../../demo/sidebar/build.mjs'
import { availableBrowsers, type Browser, openBrowser, type Page } from '../support/browsers/browsers.ts'
import { demoFaults, demoTools as tools } from '../support/pages/demo-tools.ts'
import { strictPolicy } from '../support/pages/serve-strict-page.ts'
import { serveFolder } from '../support/pages/static-server.ts'

const pages = {
  'espresso.html':
    '<title>Dialling in espresso</title><nav>Menu</nav><main><p id="dose">Grind finer when the shot runs in under 20 seconds.</p><p>Descale the boiler in spring.</p></main>',
  'grinder.html': '<title>Why an espresso shot runs too fast</title><p>A question about grinders.</p>',
  'tides.html': '<title>Tide tables of the Wadden Sea</title><p>High water at noon.</p>',
  'hostile.html':
    '<title>Offer &lt;img src=x onerror=alert(1)&gt;</title><p>&lt;script&gt;alert(2)&lt;/script&gt; zanzibar vault</p>',
}

let folder: string
let extension: string
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-sidebar-'))
  for (const [name, html] of Object.entries(pages))
    await writeFile(join(folder, name), `<!doctype html><html lang="en"><link rel="icon" href="data:,">${html}`)
  site = await serveFolder(folder)
  extension = join(folder, 'extension')
  await buildSidebar(extension)
})

afterAll(async () => {
  await site?.close()
  await rm(folder, { recursive: true, force: true })
})

test('ships the strict policy, no rights over pages, and no script from elsewhere', async () => {
  const manifest = JSON.parse(await readFile(join(extension, 'manifest.json'), 'utf8')) as Record<string, unknown>
  expect(manifest['content_security_policy']).toEqual({ extension_pages: strictPolicy })
  expect(manifest).not.toHaveProperty('host_permissions')
  expect(manifest['incognito']).toBe('not_allowed')
  expect(await readFile(join(extension, 'panel.html'), 'utf8')).not.toMatch(/https?:|<script(?![^>]*src=)/)
})

describe.runIf(availableBrowsers().includes('chromium'))('chromium', () => {
  let profile: string
  let browser: Browser
  let worker: Awaited<ReturnType<Browser['serviceWorker']>>
  let panel: Page
  let front: Page
  const consoles: Page['console'][] = []

  beforeAll(async () => {
    profile = join(folder, 'profile')
    await start()
  })

  afterAll(() => browser?.close())

  test('remembers a selection by the menu, with or without an open panel', async () => {
    await goTo('espresso.html')
    await select('#dose')
    await panel.close()
    await dispatch('contextMenus.onClicked', { menuItemId: 'remember-selection', selectionText: 'shortened' })
    await openPanel()
    await waitFor('one("#store").textContent.includes("1 memory ·")')
    await search('how fine to grind')
    await waitFor('text("#hits .hit h3 a")?.startsWith("Dialling in espresso")')
    expect(await read('text("#hits .hit .snippet")')).toBe('Grind finer when the shot runs in under 20 seconds.')
    expect(await read('one("#hits .hit a").href')).toBe(`${site.url}/espresso.html`)
  })

  test('remembers the page by its button and by the key, each page once', async () => {
    await goTo('tides.html')
    await waitFor('text("#here") === "Tide tables of the Wadden Sea"')
    await panel.evaluate(`${tools}; one('#remember').click()`)
    await waitFor('one("#store").textContent.includes("2 memories")')
    await waitFor('text("#state").startsWith("Remembered ✓") && text("#remember") === "Update it"')
    await dispatch('commands.onCommand', 'remember')
    await waitFor('text("#outcome") === "Known already: Tide tables of the Wadden Sea"')
    expect(await read('text("#store")')).toContain('2 memories')
  })

  test('finds it again on a related page, with folded reasons, and nothing on an unrelated page', async () => {
    await goTo('grinder.html')
    await waitFor('heading() === "Related memories" && text("#hits .hit h3")?.startsWith("Dialling in espresso")')
    expect(await read<number>('all("#hits .hit").length')).toBe(1)
    expect(await read('one(".reasons").open')).toBe(false)
    const bars = await read<string[]>('all(".reasons dt, .reasons .figure").map((part) => part.textContent)')
    expect(bars[0]).toBe('your words')
    expect(bars[1]).toMatch(/^\d+ %$/)
    await goTo('hostile.html')
    await waitFor('heading() === "No related memories" && text("#empty") === "Search your 2 memories above."')
  })

  test('shows what it remembers of the page in front as its own, not as a discovery', async () => {
    await goTo('espresso.html')
    await waitFor('text("#own-count") === "1 memory of this page"')
    expect(await read('[text("#state"), text("#remember"), heading()]')).toEqual([
      '',
      'Remember it',
      'No related memories',
    ])
    await goTo('tides.html')
    await waitFor('text("#state").endsWith(", 4 words") && heading() === "No related memories"')
  })

  test('cannot remember pages of the browser, and says so', async () => {
    for (const url of ['about:blank', 'chrome://version/']) {
      await front.devtools('Page.navigate', { url })
      await waitFor('text("#state").startsWith("Extensions can’t read this page")')
      expect(await read('one("#remember").checkVisibility()')).toBe(false)
    }
    await worker.evaluate(
      'const [tab] = await chrome.tabs.query({ url: "chrome://version/" }); chrome.commands.onCommand.dispatch("remember", tab)',
    )
    expect(await worker.evaluate('chrome.storage.local.get(null)')).toEqual({})
    await front.devtools('Page.navigate', { url: `${site.url}/tides.html` })
    await waitFor('text("#here") === "Tide tables of the Wadden Sea"')
  })

  test('searches for the text selected in the page', async () => {
    await goTo('hostile.html')
    await front.evaluate('document.querySelector("p").textContent = "high water at noon"')
    await select('p')
    await panel.evaluate('dispatchEvent(new Event("focus"))')
    await waitFor('text("#hits .hit h3")?.startsWith("Tide tables")')
  })

  test('shows text of pages as text', async () => {
    await goTo('hostile.html')
    await dispatch('contextMenus.onClicked', { menuItemId: 'remember-page' })
    await search('zanzibar vault')
    await waitFor('text("#hits .hit h3")?.startsWith("Offer <img")')
    expect(await read('text("#hits .hit .snippet")')).toContain('<script>alert(2)</script>')
    expect(await read('all(".hit img, .hit script").length')).toBe(0)
  })

  test('[W3] deletes after a press and a second one elsewhere, never by a double-click, and shows the proof', async () => {
    await search('zanzibar vault')
    await waitFor(
      '(() => { const button = one("#hits .hit .danger"); button?.click(); button?.click(); return toast("undo") })()',
    )
    await waitFor('toast("undo") && !all(".hit h3").some((title) => title.textContent.startsWith("Offer"))')
    await panel.evaluate(`${tools}; toast('undo').click()`)
    await waitFor('text("#hits .hit h3")?.startsWith("Offer <img") && !one(".toast")')
    // In one go: the page may draw the hits again between two looks.
    await waitFor('(one("#hits .hit .danger")?.click(), toast("now"))')
    await waitFor('canDeleteNow()')
    await panel.evaluate(`${tools}; toast('now').click()`)
    await waitFor('one(".proof")')
    expect(await read('text(".proof strong")')).toBe('Deleted. Nothing of it is left on this device.')
    await waitFor('!all(".hit h3").some((title) => title.textContent.startsWith("Offer"))')
    await panel.evaluate(`${tools}; toast('close').click()`)
    await waitFor('one("#store").textContent.includes("2 memories")')
  })

  test('[P1] keeps its records when the page is reloaded', async () => {
    await panel.reload()
    await waitFor('one("#store").textContent.includes("2 memories ·")')
    await search('how fine to grind')
    await waitFor('text("#hits .hit h3")?.startsWith("Dialling in espresso")')
  })

  test('[P1] loses nothing when the service worker is stopped, and the next gesture starts it', async () => {
    await goTo('espresso.html')
    for (const round of [1, 2, 3]) {
      await front.evaluate(`document.querySelector('#dose').textContent = args[0]`, `Note of round ${round}`)
      await select('#dose')
      await panel.close()
      // The worker ends right after the request: only what it stored is left.
      await dispatch('contextMenus.onClicked', { menuItemId: 'remember-selection' })
      await vi.waitFor(
        async () =>
          expect(await worker.evaluate('chrome.storage.local.get(null).then((all) => Object.keys(all).length)')).toBe(
            1,
          ),
        { timeout: 20_000 },
      )
      await openPanel()
      await stopWorker()
      await search(`Note of round ${round}`)
      await waitFor(`text("#hits .hit .snippet") === "Note of round ${round}"`)
      await startWorker()
    }
    await waitFor('one("#store").textContent.includes("5 memories")')
  })

  test('[T1] panels of two windows share one store, and either may be closed', async () => {
    const first = panel
    await openPanel()
    await goTo('grinder.html')
    await waitFor('text("#here").startsWith("Why an espresso")')
    await panel.evaluate(`${tools}; one('#remember').click()`)
    for (const one of [first, panel]) {
      const told = async () => expect(await one.evaluate('document.body.innerText')).toContain('6 memories')
      await vi.waitFor(told, { timeout: 20_000 })
    }
    expect(await first.evaluate(`${tools}; return text('#outcome')`)).not.toMatch(/^Known already/)
    expect(await read('text("#outcome")')).not.toMatch(/^Known already/)
    // The first one led.
    await first.close()
    await search('grinders')
    await waitFor('text("#hits .hit h3")?.startsWith("Why an espresso shot")')
  })

  test('[P1] keeps its records when the browser is killed', async () => {
    await browser.kill()
    await browser.close()
    await start()
    await waitFor('one("#store").textContent.includes("6 memories ·")')
  })

  test('can be used by keyboard alone, and every control has a name', async () => {
    await goTo('tides.html')
    await waitFor('!one("#remember").disabled')
    await search('note of a round')
    await waitFor('/^\\d memories$/.test(heading()) && all("#hits .hit").length > 1')
    expect(await panel.evaluate(demoFaults)).toEqual([])
    await panel.evaluate('document.activeElement.blur()')
    const walked: string[] = []
    for (let step = 0; step < 6; step++) {
      await press('Tab')
      walked.push(await read('document.activeElement.id || document.activeElement.tagName'))
    }
    expect(walked).toEqual(['remember', 'own-count', 'query', 'A', 'SUMMARY', 'BUTTON'])
  })

  test('fits 320 pixels, in light and in dark', async () => {
    await goTo('grinder.html')
    await waitFor('heading() === "Related memories" && all("#hits .hit").length > 0')
    const kept = process.env['SCRUBJAY_PICTURES'] ?? folder
    for (const dark of [false, true]) {
      const path = join(kept, `sidebar-${dark ? 'dark' : 'light'}.png`)
      await panel.screenshot(path, { width: 320, height: 900, dark })
      expect(await read('document.documentElement.scrollWidth')).toBe(320)
    }
  })

  test('panel, engine and service worker logged nothing on any console', async () => {
    await panel.evaluate('1')
    expect(consoles.flat()).toEqual([])
  })

  test('control: a policy without WebAssembly gives a typed error', async () => {
    await browser.close()
    const control = await copyWith({
      content_security_policy: { extension_pages: "script-src 'self'; object-src 'self'" },
    })
    browser = await launch(control, undefined)
    worker = await findWorker()
    panel = await browser.page(`chrome-extension://${await worker.evaluate('chrome.runtime.id')}/panel.html`)
    await waitFor('text("#notices") !== ""')
    const told = await read('text("#notices")')
    expect(told).toMatch(/Content Security Policy/)
    expect(told).toMatch(/\(STORAGE_UNAVAILABLE\)/)
    // The notice reports it once: SQLite's own lines about the failed load stay off the console.
    expect(panel.console.filter(({ level }) => level === 'error')).toEqual([])
    expect(await read('text("#store")')).toBe('Store not open.')
  })

  async function start(): Promise<void> {
    // A gesture gives the right to read one page; a test has none, so this copy may read the test's site.
    browser = await launch(await copyWith({ host_permissions: ['http://127.0.0.1/*', 'http://localhost/*'] }), profile)
    worker = await findWorker()
    consoles.push(worker.console)
    front = await browser.page(`${site.url}/tides.html`)
    await openPanel()
  }

  async function copyWith(change: object): Promise<string> {
    const copy = join(folder, `copy-${Object.keys(change).join()}`)
    await cp(extension, copy, { recursive: true })
    const manifest = JSON.parse(await readFile(join(extension, 'manifest.json'), 'utf8')) as object
    await writeFile(join(copy, 'manifest.json'), JSON.stringify({ ...manifest, ...change }))
    return copy
  }

  function launch(path: string, profileDir: string | undefined): Promise<Browser> {
    // No host name resolves: any request to another machine would fail, and appear on the console.
    const offline = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'
    const args = [`--load-extension=${path}`, `--disable-extensions-except=${path}`, offline]
    return openBrowser('chromium', profileDir === undefined ? { args } : { args, profileDir })
  }

  async function openPanel(): Promise<void> {
    panel = await browser.page(`chrome-extension://${await worker.evaluate('chrome.runtime.id')}/panel.html`)
    consoles.push(panel.console)
    await waitFor('one("#store .safety")')
  }

  /** In the front tab, which the panel follows. */
  async function goTo(name: string): Promise<void> {
    await search('')
    // The mark ends with the page: a page that is loaded again has the same path.
    await front.evaluate('globalThis.isLeft = true; location.href = args[0]', `${site.url}/${name}`)
    await vi.waitFor(
      async () =>
        expect(await front.evaluate('[location.pathname, document.readyState, globalThis.isLeft ?? false]')).toEqual([
          `/${name}`,
          'complete',
          false,
        ]),
      { timeout: 20_000 },
    )
    await front.devtools('Page.bringToFront')
  }

  async function select(selector: string): Promise<void> {
    await front.evaluate('getSelection().selectAllChildren(document.querySelector(args[0]))', selector)
  }

  /** As the browser notifies the service worker of a menu entry or a key: with the front tab. */
  async function dispatch(event: string, what: unknown): Promise<void> {
    await worker.evaluate(
      `const [tab] = await chrome.tabs.query({ url: '*://*/*' }); chrome.${event}.dispatch(args[0], tab)`,
      what,
    )
  }

  async function stopWorker(): Promise<void> {
    await worker.detach()
    await panel.devtools('ServiceWorker.enable')
    await panel.devtools('ServiceWorker.stopAllWorkers')
    await vi.waitFor(async () => expect(await workerTargets()).toEqual([]), { timeout: 30_000 })
  }

  async function startWorker(): Promise<void> {
    await panel.devtools('ServiceWorker.startWorker', { scopeURL: await read('new URL("/", location.href).href') })
    worker = await findWorker()
    consoles.push(worker.console)
  }

  async function findWorker(): Promise<typeof worker> {
    const found = await browser.serviceWorker('/service-worker.js')
    // It exists before the extension's interface does.
    await vi.waitFor(() => found.evaluate('chrome.runtime.id'), { timeout: 20_000 })
    return found
  }

  async function workerTargets(): Promise<readonly unknown[]> {
    const { targetInfos } = await browser.devtools<{ targetInfos: readonly { readonly type: string }[] }>(
      'Target.getTargets',
    )
    return targetInfos.filter(({ type }) => type === 'service_worker')
  }

  async function search(text: string): Promise<void> {
    await panel.evaluate(`${tools}; ask(args[0])`, text)
  }

  async function press(key: string): Promise<void> {
    for (const type of ['rawKeyDown', 'keyUp'])
      await panel.devtools('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: 9 })
  }

  function waitFor(condition: string): Promise<void> {
    const look = async () => {
      if (!(await panel.evaluate(`${tools}; return Boolean(${condition})`)))
        throw new Error(`Never: ${condition}\n${await read<string>('document.body.innerText')}`)
    }
    return vi.waitFor(look, { timeout: 20_000, interval: 100 })
  }

  function read<T>(expression: string): Promise<T> {
    return panel.evaluate<T>(`${tools}; return (${expression})`)
  }
})
