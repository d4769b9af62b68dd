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
import { availableBrowsers } from '../support/browsers/browsers.ts'
import { copyBuilt } from '../support/pages/built-app.ts'
import { demoFaults, demoTools as tools } from '../support/pages/demo-tools.ts'
import { strictPolicy } from '../support/pages/serve-strict-page.ts'
import { type SidebarSession, startSidebar } from '../support/pages/sidebar-session.ts'
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
  await copyBuilt(buildSidebar, extension)
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
  const sessions: SidebarSession[] = []
  let sidebar: SidebarSession

  beforeAll(start)

  afterAll(() => sidebar?.browser.close())

  test('remembers a selection by the menu, with or without an open panel', async () => {
    await sidebar.goTo('espresso.html')
    await sidebar.select('#dose')
    await sidebar.panel.close()
    await sidebar.dispatch('contextMenus.onClicked', { menuItemId: 'remember-selection', selectionText: 'shortened' })
    await sidebar.openPanel()
    await sidebar.waitFor('one("#store").textContent.includes("1 memory ·")')
    await sidebar.search('how fine to grind')
    await sidebar.waitFor('text("#hits .hit h3 a")?.startsWith("Dialling in espresso")')
    expect(await sidebar.read('text("#hits .hit .snippet")')).toBe(
      'Grind finer when the shot runs in under 20 seconds.',
    )
    expect(await sidebar.read('one("#hits .hit a").href')).toBe(`${site.url}/espresso.html`)
  })

  test('remembers the page by its button and by the key, each page once', async () => {
    await sidebar.goTo('tides.html')
    await sidebar.waitFor('text("#here") === "Tide tables of the Wadden Sea"')
    await sidebar.click("one('#remember')")
    await sidebar.waitFor('one("#store").textContent.includes("2 memories")')
    await sidebar.waitFor('text("#state").startsWith("Remembered ✓") && text("#remember") === "Update it"')
    await sidebar.dispatch('commands.onCommand', 'remember')
    await sidebar.waitFor('text("#outcome") === "Known already: Tide tables of the Wadden Sea"')
    expect(await sidebar.read('text("#store")')).toContain('2 memories')
  })

  test('finds it again on a related page, with folded reasons, and nothing on an unrelated page', async () => {
    await sidebar.goTo('grinder.html')
    await sidebar.waitFor(
      'heading() === "Related memories" && text("#hits .hit h3")?.startsWith("Dialling in espresso")',
    )
    expect(await sidebar.read<number>('all("#hits .hit").length')).toBe(1)
    expect(await sidebar.read('one(".reasons").open')).toBe(false)
    const bars = await sidebar.read<string[]>('all(".reasons dt, .reasons .figure").map((part) => part.textContent)')
    expect(bars[0]).toBe('your words')
    expect(bars[1]).toMatch(/^\d+ %$/)
    await sidebar.goTo('hostile.html')
    await sidebar.waitFor('heading() === "No related memories" && text("#empty") === "Search your 2 memories above."')
  })

  test('shows what it remembers of the page in front as its own, not as a discovery', async () => {
    await sidebar.goTo('espresso.html')
    await sidebar.waitFor('text("#own-count") === "1 memory of this page"')
    expect(await sidebar.read('[text("#state"), text("#remember"), heading()]')).toEqual([
      '',
      'Remember it',
      'No related memories',
    ])
    await sidebar.goTo('tides.html')
    await sidebar.waitFor('text("#state").endsWith(", 4 words") && heading() === "No related memories"')
  })

  test('cannot remember pages of the browser, and says so', async () => {
    for (const url of ['about:blank', 'chrome://version/']) {
      await sidebar.front.devtools('Page.navigate', { url })
      await sidebar.waitFor('text("#state").startsWith("Extensions can’t read this page")')
      expect(await sidebar.read('one("#remember").checkVisibility()')).toBe(false)
    }
    await sidebar.worker.evaluate(
      'const [tab] = await chrome.tabs.query({ url: "chrome://version/" }); chrome.commands.onCommand.dispatch("remember", tab)',
    )
    expect(await sidebar.worker.evaluate('chrome.storage.local.get(null)')).toEqual({})
    await sidebar.front.devtools('Page.navigate', { url: `${site.url}/tides.html` })
    await sidebar.waitFor('text("#here") === "Tide tables of the Wadden Sea"')
  })

  test('searches for the text selected in the page', async () => {
    await sidebar.goTo('hostile.html')
    await sidebar.front.evaluate('document.querySelector("p").textContent = "high water at noon"')
    await sidebar.select('p')
    await sidebar.panel.evaluate('dispatchEvent(new Event("focus"))')
    await sidebar.waitFor('text("#hits .hit h3")?.startsWith("Tide tables")')
  })

  test('shows text of pages as text', async () => {
    await sidebar.goTo('hostile.html')
    await sidebar.dispatch('contextMenus.onClicked', { menuItemId: 'remember-page' })
    await sidebar.search('zanzibar vault')
    await sidebar.waitFor('text("#hits .hit h3")?.startsWith("Offer <img")')
    expect(await sidebar.read('text("#hits .hit .snippet")')).toContain('<script>alert(2)</script>')
    expect(await sidebar.read('all(".hit img, .hit script").length')).toBe(0)
  })

  test('[W3] deletes after a press and a second one elsewhere, never by a double-click, and shows the proof', async () => {
    await sidebar.search('zanzibar vault')
    await sidebar.waitFor(
      '(() => { const button = one("#hits .hit .danger"); button?.click(); button?.click(); return toast("undo") })()',
    )
    await sidebar.waitFor('toast("undo") && !all(".hit h3").some((title) => title.textContent.startsWith("Offer"))')
    await sidebar.click("toast('undo')")
    await sidebar.waitFor('text("#hits .hit h3")?.startsWith("Offer <img") && !one(".toast")')
    // In one go: the page may draw the hits again between two looks.
    await sidebar.waitFor('(one("#hits .hit .danger")?.click(), toast("now"))')
    await sidebar.waitFor('canDeleteNow()')
    await sidebar.click("toast('now')")
    await sidebar.waitFor('one(".proof")')
    expect(await sidebar.read('text(".proof strong")')).toBe('Deleted. Nothing of it is left on this device.')
    await sidebar.waitFor('!all(".hit h3").some((title) => title.textContent.startsWith("Offer"))')
    await sidebar.click("toast('close')")
    await sidebar.waitFor('one("#store").textContent.includes("2 memories")')
  })

  test('[P1] keeps its records when the page is reloaded', async () => {
    await sidebar.panel.reload()
    await sidebar.waitFor('one("#store").textContent.includes("2 memories ·")')
    await sidebar.search('how fine to grind')
    await sidebar.waitFor('text("#hits .hit h3")?.startsWith("Dialling in espresso")')
  })

  test('[P1] loses nothing when the service worker is stopped, and the next gesture starts it', async () => {
    await sidebar.goTo('espresso.html')
    for (const round of [1, 2, 3]) {
      await sidebar.front.evaluate(`document.querySelector('#dose').textContent = args[0]`, `Note of round ${round}`)
      await sidebar.select('#dose')
      await sidebar.panel.close()
      // The worker ends right after the request: only what it stored is left.
      await sidebar.dispatch('contextMenus.onClicked', { menuItemId: 'remember-selection' })
      await vi.waitFor(
        async () =>
          expect(Object.keys(await sidebar.worker.evaluate<object>('chrome.storage.local.get(null)')).length).toBe(1),
        { timeout: 20_000 },
      )
      await sidebar.openPanel()
      await sidebar.stopWorker()
      await sidebar.search(`Note of round ${round}`)
      await sidebar.waitFor(`text("#hits .hit .snippet") === "Note of round ${round}"`)
      await sidebar.startWorker()
    }
    await sidebar.waitFor('one("#store").textContent.includes("5 memories")')
  })

  test('[T1] panels of two windows share one store, and either may be closed', async () => {
    const first = sidebar.panel
    await sidebar.openPanel()
    await sidebar.goTo('grinder.html')
    await sidebar.waitFor('text("#here").startsWith("Why an espresso")')
    await sidebar.click("one('#remember')")
    for (const one of [first, sidebar.panel]) {
      const told = async () => expect(await one.evaluate('document.body.innerText')).toContain('6 memories')
      await vi.waitFor(told, { timeout: 20_000 })
    }
    expect(await first.evaluate(`${tools}; return text('#outcome')`)).not.toMatch(/^Known already/)
    expect(await sidebar.read('text("#outcome")')).not.toMatch(/^Known already/)
    // The first one led.
    await first.close()
    await sidebar.search('grinders')
    await sidebar.waitFor('text("#hits .hit h3")?.startsWith("Why an espresso shot")')
  })

  test('[P1] keeps its records when the browser is killed', async () => {
    await sidebar.browser.kill()
    await sidebar.browser.close()
    await start()
    await sidebar.waitFor('one("#store").textContent.includes("6 memories ·")')
  })

  test('can be used by keyboard alone, and every control has a name', async () => {
    await sidebar.goTo('tides.html')
    await sidebar.waitFor('!one("#remember").disabled')
    await sidebar.search('note of a round')
    await sidebar.waitFor('/^\\d memories$/.test(heading()) && all("#hits .hit").length > 1')
    expect(await sidebar.panel.evaluate(demoFaults)).toEqual([])
    await sidebar.panel.evaluate('document.activeElement.blur()')
    const walked: string[] = []
    for (let step = 0; step < 6; step++) {
      await sidebar.press('Tab')
      walked.push(await sidebar.read('document.activeElement.id || document.activeElement.tagName'))
    }
    expect(walked).toEqual(['remember', 'own-count', 'query', 'A', 'SUMMARY', 'BUTTON'])
  })

  test('fits 320 pixels, in light and in dark', async () => {
    await sidebar.goTo('grinder.html')
    await sidebar.waitFor('heading() === "Related memories" && all("#hits .hit").length > 0')
    const kept = process.env['SCRUBJAY_PICTURES'] ?? folder
    for (const dark of [false, true]) {
      const path = join(kept, `sidebar-${dark ? 'dark' : 'light'}.png`)
      await sidebar.panel.screenshot(path, { width: 320, height: 900, dark })
      expect(await sidebar.read('document.documentElement.scrollWidth')).toBe(320)
    }
  })

  test('panel, engine and service worker logged nothing on any console', async () => {
    await sidebar.panel.evaluate('1')
    expect(sessions.flatMap(({ consoles }) => consoles.flat())).toEqual([])
  })

  test('control: a policy without WebAssembly gives a typed error', async () => {
    await sidebar.browser.close()
    const control = { content_security_policy: { extension_pages: "script-src 'self'; object-src 'self'" } }
    sidebar = await startSidebar({ extension: await copyWith(control), site: site.url })
    await sidebar.waitFor('text("#notices") !== ""')
    const notice = await sidebar.read('text("#notices")')
    expect(notice).toMatch(/Content Security Policy/)
    expect(notice).toMatch(/\(STORAGE_UNAVAILABLE\)/)
    // The notice reports it once: SQLite's own lines about the failed load stay off the console.
    expect(sidebar.panel.console.filter(({ level }) => level === 'error')).toEqual([])
    expect(await sidebar.read('text("#store")')).toBe('Store not open.')
  })

  async function start(): Promise<void> {
    // A gesture gives the right to read one page; a test has none, so this copy may read the test's site.
    const copy = await copyWith({ host_permissions: ['http://127.0.0.1/*', 'http://localhost/*'] })
    sidebar = await startSidebar({ extension: copy, site: site.url, profileDir: join(folder, 'profile') })
    sessions.push(sidebar)
    await sidebar.waitForStore()
  }

  async function copyWith(change: object): Promise<string> {
    const copy = join(folder, `copy-${Object.keys(change).join()}`)
    await cp(extension, copy, { recursive: true })
    const manifest = JSON.parse(await readFile(join(extension, 'manifest.json'), 'utf8')) as object
    await writeFile(join(copy, 'manifest.json'), JSON.stringify({ ...manifest, ...change }))
    return copy
  }
})
