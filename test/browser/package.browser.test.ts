/**
 * Tests an app that installs the package and uses Vite without any configuration: built and served, and on Vite's
 * development server, which bundles dependencies beforehand. Workers, wasm and table must be found in both.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, createServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { availableBrowsers, type Browser } from '../support/browsers/browsers.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { type InstalledPackage, installPackage } from '../support/install-package.ts'
import { serveFolder } from '../support/pages/static-server.ts'

const kind = 'chromium'
const isHere = availableBrowsers().includes(kind)

let installed: InstalledPackage
let browser: Browser

beforeAll(async () => {
  if (!isHere) return
  installed = await installPackage()
  await writeFile(join(installed.app, 'index.html'), pageHtml)
  await writeFile(join(installed.app, 'main.js'), pageScript)
  browser = await shareBrowser(kind)
})

afterAll(async () => {
  await browser?.close()
  await installed?.remove()
})

test.runIf(isHere)('an app built by Vite finds workers, wasm and table in its own bundle', async () => {
  await build({ root: installed.app, configFile: false, logLevel: 'error', base: './' })
  const site = await serveFolder(join(installed.app, 'dist'))
  try {
    await expectToWork(`${site.url}/`)
  } finally {
    await site.close()
  }
})

test.runIf(isHere)('an app on Vite’s development server finds them in node_modules, without optimizeDeps', async () => {
  const server = await createServer({
    root: installed.app,
    configFile: false,
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0, hmr: false },
  })
  try {
    await server.listen()
    await expectToWork(server.resolvedUrls?.local[0] ?? '')
    // Control: the package did go through the optimizer.
    const metadata = await readFile(join(installed.app, 'node_modules/.vite/deps/_metadata.json'), 'utf8')
    expect(Object.keys(JSON.parse(metadata).optimized)).toContain('scrubjay')
  } finally {
    await server.close()
  }
})

async function expectToWork(url: string): Promise<void> {
  const page = await browser.page(url)
  let loadedAt = 0
  try {
    // A development server that is not ready refuses modules, and has the page loaded again once it is; without HMR the test does.
    for (let tries = 0; tries < 10 && (await page.evaluate('window.done === undefined')); tries++) {
      loadedAt = page.console.length
      await page.reload()
    }
    expect(await page.evaluate('window.done')).toEqual({
      found: ['a'],
      isVectorRun: true,
      runtime: 'worker',
      graph: { mode: 'hnsw', found: ['a'], degraded: [] },
    })
    expect(page.console.slice(loadedAt).filter(({ level }) => level === 'error')).toEqual([])
  } finally {
    await page.close()
  }
}

// An inline icon, or the browser requests one from the server and logs an error.
const pageHtml = `<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,">
<script type="module" src="/main.js"></script></html>`

const pageScript = `
import { openRecall } from 'scrubjay'
window.done = (async () => {
  const recall = await openRecall({ storage: 'memory' })
  await recall.put([{ id: 'a', title: 'How to compile the program' }, { id: 'b', title: 'Apple pie' }])
  const { hits, plan } = await recall.recall({ text: 'building an application', limit: 1 })
  const { runtime } = await recall.status()
  await recall.close()
  const large = await openRecall({ name: 'large', storage: 'memory', index: 'hnsw' })
  await large.put([{ id: 'a', title: 'How to compile the program' }, { id: 'b', title: 'Apple pie' }])
  while ((await large.status()).indexes.vector.state !== 'ready') await new Promise((resolve) => setTimeout(resolve, 20))
  const near = await large.recall({ text: 'building an application', limit: 1 })
  const { degraded } = await large.status()
  await large.close()
  const graph = {
    mode: near.plan.channels.vector.mode,
    found: near.hits.map(({ id }) => id),
    degraded: degraded.filter((line) => line.includes('HNSW')),
  }
  return { found: hits.map(({ id }) => id), isVectorRun: plan.channels.vector.ran, runtime, graph }
})()
`
