/** [D4] Tests scrubjay-minilm in browsers: the golden bytes of Node, in its worker, and a store that keeps its file for later visits. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, openBrowser, type Page } from '../support/browsers/browsers.ts'
import { detailIn } from '../support/browsers/detail.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { builtMinilm, hasMinilm, noMinilm } from '../support/minilm/built-minilm.ts'
import { serveFolder } from '../support/pages/static-server.ts'

const root = new URL('../../', import.meta.url)
const pathOf = (path: string) => fileURLToPath(new URL(path, root))
let golden: string
let folder: string

if (!hasMinilm) test('the model is not installed', ({ skip }) => skip(noMinilm))

beforeAll(async () => {
  if (!hasMinilm) return
  await builtMinilm()
  golden = (await readFile(new URL('test/golden/minilm.sha256', root), 'utf8')).trim()
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-minilm-page-'))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><meta charset="utf-8"><script type="module" src="main.js"></script>',
  )
  await writeFile(join(folder, 'main.js'), pageScript)
  await build({
    configFile: false,
    root: folder,
    base: './',
    logLevel: 'error',
    build: { outDir: join(folder, 'built') },
    resolve: {
      alias: [
        { find: /^scrubjay$/, replacement: pathOf('dist/src/index.js') },
        { find: /^scrubjay\/core$/, replacement: pathOf('dist/src/core/index.js') },
        { find: /^scrubjay-minilm$/, replacement: pathOf('minilm/dist/index.js') },
      ],
    },
  })
})

afterAll(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

describe.runIf(hasMinilm).each(availableBrowsers())('%s', (kind) => {
  let browser: Browser
  let site: Awaited<ReturnType<typeof serveFolder>>
  let page: Page

  beforeAll(async () => {
    site = await serveFolder(join(folder, 'built'))
    // Its own: a shared one has no last compiler of WebAssembly, which makes these vectors for users.
    browser = await (kind === 'chromium' ? openBrowser : shareBrowser)(kind)
    page = await browser.page(`${site.url}/`)
  })

  afterAll(async () => {
    await page?.close()
    await browser?.close()
    await site?.close()
  })

  test('[D4] vectors have the golden bytes, in a worker, in a batch and alone', async () => {
    const { all, differing, isOnPage } = await page.evaluate<Hashed>('hashAll()')
    expect({ all, differing, isOnPage }).toEqual({ all: golden, differing: [], isOnPage: false })
  })

  detailIn(kind)('[D4] control: another text has another hash', async () => {
    expect(await page.evaluate('(texts) => hashesOf(texts)', ['a red jay', 'a red jay', 'a red fox'])).toBe(2)
  })

  test('a store finds texts in other words, and needs no network for the model later', async () => {
    expect(await page.evaluate('store()')).toEqual({ first: 'reset', later: 'reset', degraded: [] })
  })
})

interface Hashed {
  readonly all: string
  readonly differing: readonly number[]
  readonly isOnPage: boolean
}

const pageScript = `
import { openRecall } from 'scrubjay'
import { minilmEmbedder } from 'scrubjay-minilm'
import { minilmTexts } from ${JSON.stringify(pathOf('test/support/minilm/minilm-texts.ts'))}
import { hashVectors } from ${JSON.stringify(pathOf('test/support/minilm/hash-vectors.ts'))}

const embedder = minilmEmbedder()
const compiled = []
const compile = WebAssembly.Module
WebAssembly.Module = class extends compile { constructor(bytes) { super(bytes); compiled.push(bytes.length) } }
/** How many of them differ. */
window.hashesOf = async (texts) => new Set(hashVectors(await embedder.embed(texts, 'document')).each).size
window.hashAll = async () => {
  const texts = minilmTexts(120, 4)
  const { all, each } = hashVectors(await embedder.embed(texts, 'document'))
  const differing = []
  for (let i = texts.length - 1; i >= 0; i -= 7) {
    if (hashVectors(await embedder.embed([texts[i]], 'query')).each[0] !== each[i]) differing.push(i)
  }
  return { all, differing, isOnPage: compiled.length > 0 }
}
window.store = async () => {
  const first = async (made) => {
    const recall = await openRecall({ name: 'minilm', storage: 'memory', embedder: made })
    await recall.put([
      { id: 'reset', body: 'To choose new login credentials, open the account page.' },
      { id: 'pie', body: 'The apple pie needs an hour in the oven.' },
    ])
    const { hits } = await recall.recall('forgotten password')
    const { degraded } = await recall.status()
    await recall.close()
    return { id: hits[0]?.id, degraded: degraded.filter((line) => /embed|vector/i.test(line)) }
  }
  const { id } = await first(embedder)
  await embedder.close()
  const { id: later, degraded } = await first(minilmEmbedder({ model: new URL('/gone.bin', location.href) }))
  return { first: id, later, degraded }
}
`
