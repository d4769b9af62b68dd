/**
 * Tests `index: 'hnsw'` in real browsers, bundled as an app would bundle it and served under an extension's policy,
 * which forbids evaluating text as code: the chunk is loaded on request, its graph is built, searched, and read back.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { availableBrowsers, type Browser, openBrowser, type Page } from '../support/browsers/browsers.ts'
import { detailIn } from '../support/browsers/detail.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { type BundledPage, bundlePage } from '../support/pages/bundle-page.ts'
import { serveFolder } from '../support/pages/static-server.ts'

const strictPolicy = "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'"

let bundle: BundledPage
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  bundle = await bundlePage(pageScript)
  await writeFile(join(bundle.folder, 'code-worker.js'), codeWorkerSource)
  site = await serveFolder(bundle.folder, { headers: { 'Content-Security-Policy': strictPolicy } })
})

afterAll(async () => {
  await site?.close()
  await bundle?.remove()
})

describe.each(availableBrowsers())('%s', (kind) => {
  const detail = detailIn(kind)
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    // Its own: a shared one compiles later than for users.
    browser = await (kind === 'firefox' ? shareBrowser : openBrowser)(kind)
    page = await browser.page(`${site.url}/`)
  })

  afterAll(() => browser?.close())

  test('control: the policy forbids evaluating text as code in a worker', async () => {
    expect(await page.evaluate<string>('makeCode')).toBe('EvalError')
  })

  test('[V2] loads the HNSW chunk only on request, and finds what the exact index finds', async () => {
    const exact = await page.evaluate<Asked>('ask', 'exact')
    expect(exact).toMatchObject({ modes: ['exact'], loaded: 0, degraded: [] })
    const graph = await page.evaluate<Asked>('ask', 'hnsw')
    expect(graph).toMatchObject({ modes: ['hnsw'], degraded: [] })
    // The page in WebKit does not see a worker's own requests.
    expect(graph.told).toBeGreaterThan(0)
    const found = graph.ids.flatMap((ids, i) => ids.filter((id) => exact.ids[i]?.includes(id))).length
    expect(found / exact.ids.flat().length).toBeGreaterThanOrEqual(0.98)
    expect(page.console.filter(({ level }) => level === 'error')).toEqual([])
  })

  detail('[V3] opened again it is read back, with the same answers', async () => {
    const [before, after] = await page.evaluate<[Asked, Asked]>('reopened')
    expect(before.told).toBeGreaterThan(0)
    expect(after).toMatchObject({ modes: ['hnsw'], told: 0, degraded: [] })
    expect(after.ids).toEqual(before.ids)
  })
})

test.runIf(availableBrowsers().includes('chromium'))('[V2] works in a page of an MV3 extension', async () => {
  await writeFile(join(bundle.folder, 'manifest.json'), JSON.stringify(manifest))
  await writeFile(join(bundle.folder, 'service-worker.js'), '')
  const args = [`--load-extension=${bundle.folder}`, `--disable-extensions-except=${bundle.folder}`]
  const browser = await openBrowser('chromium', { args, compilesLate: true })
  try {
    const worker = await browser.serviceWorker('/service-worker.js')
    const id = () => worker.evaluate<string>('chrome.runtime.id')
    // It exists before the extension's interface does.
    await vi.waitFor(id, { timeout: 20_000 })
    const page = await browser.page(`chrome-extension://${await id()}/index.html`)
    expect(await page.evaluate<string>('makeCode')).toBe('EvalError')
    expect(await page.evaluate<Asked>('ask', 'hnsw')).toMatchObject({ modes: ['hnsw'], degraded: [] })
    expect(page.console.filter(({ level }) => level === 'error')).toEqual([])
  } finally {
    await browser.close()
  }
})

const manifest = {
  manifest_version: 3,
  name: 'Graph',
  version: '1',
  background: { service_worker: 'service-worker.js' },
  content_security_policy: { extension_pages: strictPolicy },
}

interface Asked {
  readonly ids: readonly (readonly string[])[]
  readonly modes: readonly string[]
  readonly degraded: readonly string[]
  /** Progress events received. */
  readonly told: number
  /** Requests for the chunk that the page can see. */
  readonly loaded: number
}

const codeWorkerSource = `
try {
  postMessage(String(new Function('return 1')()))
} catch (error) {
  postMessage(error.name)
}
`

const pageScript = `
const dimensions = 32
let state = 7
const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5
const vector = () => Float32Array.from({ length: dimensions }, next)
const records = Array.from({ length: 500 }, (_, i) => ({ id: 'r' + i, body: 'text ' + i, vectors: vector() }))
const queries = Array.from({ length: 20 }, vector)
const embedder = embedders.precomputed(dimensions, 'mine')

window.makeCode = () =>
  new Promise((resolve) => {
    new Worker('code-worker.js').onmessage = ({ data }) => resolve(data)
  })

const opened = async (options) => {
  const recall = await scrubjay.openRecall({ embedder, ...options })
  let told = 0
  recall.subscribe((event) => {
    if (event.type === 'progress' && event.operation === 'index') told++
  })
  return { recall, told: () => told }
}

const asked = async ({ recall, told }) => {
  while ((await recall.status()).indexes.vector.state !== 'ready') await new Promise((resolve) => setTimeout(resolve, 20))
  const results = []
  for (const vector of queries) results.push(await recall.recall({ vector }))
  const { degraded } = await recall.status()
  return {
    ids: results.map(({ hits }) => hits.map(({ id }) => id)),
    modes: [...new Set(results.map(({ plan }) => plan.channels.vector.mode))],
    degraded: degraded.filter((line) => line.includes('HNSW')),
    told: told(),
    loaded: performance.getEntriesByType('resource').filter(({ name }) => name.includes('hnsw')).length,
  }
}

window.ask = async (index) => {
  const store = await opened({ name: 'ask-' + index, storage: 'memory', index })
  await store.recall.put(records)
  const answer = await asked(store)
  await store.recall.close()
  return answer
}

window.reopened = async () => {
  const options = { name: 'kept', storage: 'auto', index: 'hnsw' }
  const first = await opened(options)
  // Closing adds at most 256 waiting records to the graph before it is saved.
  await first.recall.put(records.slice(0, 250))
  const before = await asked(first)
  await first.recall.close()
  const second = await opened(options)
  const after = await asked(second)
  await second.recall.destroy()
  return [before, after]
}
`
