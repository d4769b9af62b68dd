/**
 * Does the ten tasks of `demo/sidebar/README.md` in the sidebar. Its page runs in a tab, because a side panel takes no keys and no size
 * from a test; `test/browser/extension-panel.browser.test.ts` has the panel itself, with the press of the icon.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { buildSidebar } from '../../demo/sidebar/build.mjs'
import { demoTools } from '../support/pages/demo-tools.ts'
import { type SidebarSession, startSidebar } from '../support/pages/sidebar-session.ts'
import { serveFolder } from '../support/pages/static-server.ts'
import { conditions } from './conditions.ts'
import { personAt, setUp } from './person.ts'
import { resultsOf } from './results.ts'

const pages = {
  'espresso.html':
    '<title>Dialling in espresso</title><main><p id="dose">Grind finer when the shot runs in under 20 seconds.</p><p>Descale the boiler in spring.</p></main>',
  'grinder.html': '<title>Why an espresso shot runs too fast</title><p>A question about grinders.</p>',
  'tides.html': '<title>Tide tables of the Wadden Sea</title><p>High water at noon.</p>',
  'comlink.html':
    '<title>Comlink makes WebWorkers enjoyable</title><main><p>It wraps postMessage in proxies, so a call looks local.</p></main>',
  'workers.html': '<title>Using Web Workers</title><p>Scripts can run in background threads.</p>',
}
const results = resultsOf('sidebar')
let folder: string
let extension: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-sidebar-tasks-'))
  for (const [name, html] of Object.entries(pages))
    await writeFile(join(folder, name), `<!doctype html><html lang="en"><link rel="icon" href="data:,">${html}`)
  await buildSidebar(join(folder, 'built'))
  // A gesture gives the right to read one page; a test has none, so this copy may read the test's site.
  extension = join(folder, 'extension')
  await cp(join(folder, 'built'), extension, { recursive: true })
  const manifest = JSON.parse(await readFile(join(extension, 'manifest.json'), 'utf8')) as object
  const change = { host_permissions: ['http://127.0.0.1/*', 'http://localhost/*'] }
  await writeFile(join(extension, 'manifest.json'), JSON.stringify({ ...manifest, ...change }))
})

afterAll(async () => {
  results.report()
  await rm(folder, { recursive: true, force: true })
})

describe.each(conditions)('sidebar, $name', (condition) => {
  let site: Awaited<ReturnType<typeof serveFolder>>
  let sidebar: SidebarSession
  const person = personAt(() => sidebar.panel, condition, demoTools)

  beforeAll(async () => {
    site = await serveFolder(folder)
    await start()
  })

  afterAll(async () => {
    await sidebar?.browser.close()
    await site?.close()
  })

  results.run(
    [
      [
        'Remember an article: “Remembered ✓” and its words',
        async () => {
          await sidebar.goTo('espresso.html')
          await person.until('text("#here") === "Dialling in espresso" && !one("#remember").disabled')
          await person.look('start')
          await person.press('one("#remember")')
          await person.until('/^Remembered ✓.*15 words$/.test(text("#state"))')
        },
      ],
      ['Search for words of its text', () => findsByWords()],
      [
        'On a related page: related memories, and why',
        async () => {
          await sidebar.goTo('grinder.html')
          await person.until('heading() === "Related memories" && text(".hit h3")?.startsWith("Dialling in espresso")')
          await person.press('one(".reasons summary")')
          await person.until('one(".reasons dt").checkVisibility()')
          await person.look('why')
        },
      ],
      [
        'Remember a selected passage',
        async () => {
          await sidebar.goTo('espresso.html')
          await sidebar.select('#dose')
          // The browser itself has the key and the menu: it tells the service worker.
          if (condition.hand === 'keyboard') await sidebar.dispatch('commands.onCommand', 'remember')
          else
            await sidebar.dispatch('contextMenus.onClicked', {
              menuItemId: 'remember-selection',
              selectionText: 'shortened',
            })
          await person.until('text("#store").includes("2 memories")')
        },
      ],
      [
        'Back on the article: its memories under “This page”',
        async () => {
          await sidebar.goTo('tides.html')
          await person.until('text("#here").startsWith("Tide")')
          await sidebar.goTo('espresso.html')
          await person.until('text("#own-count") === "2 memories of this page"')
          await person.press('one("#own-count")')
          await person.until('one("#own-list .hit").checkVisibility()')
          await person.look('own')
        },
      ],
      [
        'Search with a spelling mistake',
        async () => {
          await person.write('one("#query")', 'grind fiiner espreso')
          await person.until('!one("#readings").hidden && text(".hit h3")?.startsWith("Dialling")')
          await person.look('corrected')
          await person.write('one("#query")', '')
        },
      ],
      [
        '“WebWorkers” on a page about “Web Workers”',
        async () => {
          await sidebar.goTo('comlink.html')
          await person.until('text("#here").startsWith("Comlink") && !one("#remember").disabled')
          await person.press('one("#remember")')
          await person.until('text("#state").startsWith("Remembered ✓")')
          await sidebar.goTo('workers.html')
          await person.until('heading() === "Related memories" && text("#hits .hit h3").startsWith("Comlink")')
        },
      ],
      [
        'A page of the browser: says that it can’t be remembered',
        async () => {
          await sidebar.front.devtools('Page.navigate', { url: 'chrome://version/' })
          await sidebar.front.devtools('Page.bringToFront')
          await person.until('text("#state").startsWith("Extensions can’t read this page")')
          await person.look('impossible')
          await sidebar.front.devtools('Page.navigate', { url: `${site.url}/tides.html` })
          // The picture brought the panel's tab to the front.
          await sidebar.front.devtools('Page.bringToFront')
          await person.until('text("#here").startsWith("Tide")')
        },
      ],
      [
        'Delete a memory, undo, delete again: the proof',
        async () => {
          await person.write('one("#query")', 'calls through a proxy')
          await person.until('text("#hits .hit h3")?.startsWith("Comlink")')
          await person.press('one("#hits .hit .danger")')
          await person.until('toast("undo")')
          await person.look('undo')
          await person.press('toast("undo")')
          await person.until('!one(".toast") && text("#hits .hit h3")?.startsWith("Comlink")')
          // A second press soon after the first one is a double-click, which deletes nothing.
          await new Promise((done) => setTimeout(done, 700))
          await person.press('one("#hits .hit .danger")')
          await person.until('canDeleteNow()')
          await person.press('toast("now")')
          await person.until('text(".proof strong") === "Deleted. Nothing of it is left on this device."')
          await person.look('proof')
          await person.press('toast("close")')
        },
      ],
      [
        'Close the browser, open it offline, and search',
        async () => {
          await sidebar.browser.close()
          await start()
          // Its own pages need no network; the site of the front tab is gone.
          await site.close()
          await findsByWords()
        },
      ],
    ].map(([name, steps]) => [name as string, () => (steps as () => Promise<void>)()]),
    condition,
    () => person,
  )

  async function findsByWords(): Promise<void> {
    await person.write('one("#query")', 'how fine to grind')
    await person.until('text("#hits .hit h3")?.startsWith("Dialling in espresso")')
    expect(await person.read('text("#hits .hit .snippet")')).toContain('Grind finer')
    await person.look('found')
  }

  async function start(): Promise<void> {
    sidebar = await startSidebar({ extension, site: site.url, profileDir: join(folder, `profile-${condition.name}`) })
    await setUp(sidebar.panel, condition)
    await sidebar.panel.reload()
    await sidebar.waitForStore()
  }
})
