/**
 * Measures the four apps in Chromium with the processor slowed four times: first content, time until ready, layout shift, delay of
 * key presses and of answers, bytes. `npm run figures`, after a build. Other programs that run meanwhile make the times longer.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildAgent, policy as agentPolicy } from '../../demo/agent/build.mjs'
import { buildNotes, policy as notesPolicy } from '../../demo/notes/build.mjs'
import { headerPolicy } from '../../demo/security-policy.mjs'
import { buildSidebar } from '../../demo/sidebar/build.mjs'
import { type Browser, openBrowser, type Page } from '../support/browsers/browsers.ts'
import { copyDemo } from '../support/pages/built-demo.ts'
import { demoTools } from '../support/pages/demo-tools.ts'
import { serveFolder } from '../support/pages/static-server.ts'

interface App {
  readonly name: string
  /** Policy header of the pages; null: an extension. */
  readonly policy: string | null
  build(folder: string): Promise<unknown>
  /** True in the page when it can be used. */
  readonly ready: string
  /** Where the user types, and what. */
  readonly box: string
  readonly text: string
  /** Element that shows the answer to each key; null if a key has none. */
  readonly answer: string | null
}

const apps: readonly App[] = [
  {
    name: 'search demo',
    policy: headerPolicy,
    build: async () => undefined,
    ready: '!!one("#store-status .facts")',
    box: '#query',
    text: 'when is the birthday dinner',
    answer: '#hits',
  },
  {
    name: 'notes',
    policy: notesPolicy.header,
    build: buildNotes,
    ready: 'all("#hits .hit").length > 0',
    box: '#query',
    text: 'garlic and winter beds',
    answer: '#list-heading',
  },
  {
    name: 'agent',
    policy: agentPolicy.header,
    build: buildAgent,
    ready: 'one("#send")?.disabled === false',
    box: '#message',
    text: 'when do we deploy',
    answer: null,
  },
  {
    name: 'sidebar',
    policy: null,
    build: buildSidebar,
    ready: '!!one("#store .safety")',
    box: '#query',
    text: 'espresso grinder',
    answer: '#hits',
  },
]

for (const app of apps) process.stdout.write(`${app.name}: ${JSON.stringify(await measure(app))}\n`)
process.exit()

async function measure(app: App): Promise<object> {
  const folder = app.name === 'search demo' ? await copyDemo() : await mkdtemp(join(tmpdir(), 'scrubjay-figures-'))
  await app.build(folder)
  const isExtension = app.policy === null
  const args = isExtension ? [`--load-extension=${folder}`, `--disable-extensions-except=${folder}`] : []
  const site = isExtension ? null : await serveFolder(folder, { headers: { 'Content-Security-Policy': app.policy } })
  const browser = await openBrowser('chromium', { args })
  try {
    const page = await browser.page('about:blank')
    await page.devtools('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.devtools('Page.navigate', { url: site === null ? await panelOf(browser) : `${site.url}/` })
    const readyMs = await until(page, `${demoTools}; return (${app.ready}) && performance.now()`)
    return { readyMs: Math.round(readyMs), ...(await loadFigures(page)), ...(await typingFigures(page, app)) }
  } finally {
    await browser.close()
    await site?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function panelOf(browser: Browser): Promise<string> {
  const worker = await browser.serviceWorker('/service-worker.js')
  const id = await worker.evaluate<string>('chrome.runtime.id')
  await worker.detach()
  return `chrome-extension://${id}/panel.html`
}

function loadFigures(page: Page): Promise<object> {
  return page.evaluate<object>(`
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const shifts = await new Promise((done) => {
      new PerformanceObserver((list) => done(list.getEntries())).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => done([]), 500)
    })
    const files = performance.getEntriesByType('resource')
    return {
      firstContentMs: Math.round(paint?.startTime ?? -1),
      layoutShift: Number(shifts.reduce((sum, { value }) => sum + value, 0).toFixed(4)),
      pageKilobytes: Math.round(files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000),
    }`)
}

/** inputP95Ms: how long a key blocks the page. answerP95Ms: until its answer is in the page. */
function typingFigures(page: Page, { box, text, answer }: App): Promise<object> {
  return page.evaluate<object>(
    `${demoTools}
     const [box, typed, place] = args
     const inputs = [], answers = []
     for (let end = 1; end <= typed.length; end++) {
       const changed = place === null ? null : new Promise((done) => {
         const watch = new MutationObserver(() => { watch.disconnect(); done(performance.now()) })
         watch.observe(one(place), { childList: true, characterData: true, subtree: true })
         setTimeout(() => { watch.disconnect(); done(null) }, 3_000)
       })
       const from = performance.now()
       fill(box, typed.slice(0, end))
       inputs.push(performance.now() - from)
       // An answer that is equal to the one before changes nothing.
       const answered = await changed
       if (answered !== null) answers.push(answered - from)
       await new Promise((done) => setTimeout(done, 120))
     }
     const p95 = (values) => values.length === 0 ? null : Math.round(values.sort((a, b) => a - b)[Math.floor(0.95 * values.length)])
     return { inputP95Ms: p95(inputs), answerP95Ms: p95(answers), keys: inputs.length }`,
    box,
    text,
    answer,
  )
}

async function until(page: Page, program: string): Promise<number> {
  for (;;) {
    const value = await page.evaluate<number | false>(program).catch(() => false as const)
    if (value !== false) return value
    await new Promise((done) => setTimeout(done, 50))
  }
}
