/**
 * [D1] Tests the table of other languages in browsers: the reference's vectors, the same pieces for every character of Unicode as in
 * Node, and the store that loads and keeps it.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createLanguagesModel } from '../../src/embedders/tables/languages-model.ts'
import { createStaticModel } from '../../src/embedders/tables/static-model.ts'
import { availableBrowsers, type Browser, type Page } from '../support/browsers/browsers.ts'
import { detailIn, isEverywhere } from '../support/browsers/detail.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { serveFolder } from '../support/pages/static-server.ts'

const root = new URL('../../', import.meta.url)
const bytesOf = async (path: string) => new Uint8Array(await readFile(new URL(path, root))).buffer

let folder: string
let golden: readonly { readonly text: string; readonly sha256: string }[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-languages-'))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><meta charset="utf-8"><script type="module" src="page.js"></script>',
  )
  await writeFile(join(folder, 'page.js'), pageScript)
  await build({
    stdin: { contents: models, resolveDir: fileURLToPath(new URL('src/embedders/tables/', root)) },
    bundle: true,
    format: 'esm',
    outfile: join(folder, 'models.js'),
  })
  const lines = await readFile(new URL('test/fixtures/multi-static-128/golden.jsonl', root), 'utf8')
  golden = lines.trim().split('\n').map((line) => JSON.parse(line)) // biome-ignore format: one line
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * Runs in Node and, as text, in the page. A text holds 64 characters, so that all of Unicode takes some seconds. `emptyStep`: of the planes
 * without characters, every so many characters are taken.
 */
function wordPiecesOfUnicode(
  model: {
    rowsOf(text: string): readonly number[]
    isEnglish(text: string): boolean
  },
  emptyStep: number,
): string {
  const hashes: number[] = []
  for (let plane = 0; plane < 0x110000; plane += 0x10000) {
    let hash = 0x811c9dc5
    const add = (value: number) => {
      hash = Math.imul(hash ^ value, 0x01000193) >>> 0
    }
    const isEmpty = (plane > 0x30000 && plane < 0xe0000) || plane > 0xe0000
    for (let from = plane; from < plane + 0x10000; from += isEmpty ? emptyStep : 64) {
      let text = ''
      for (let code = from; code < from + 64; code++)
        if (code < 0xd800 || code > 0xdfff) text += `${String.fromCodePoint(code)}ab${code % 3 === 0 ? ' ' : 'ми'}`
      for (const row of model.rowsOf(text)) add(row)
      add(model.isEnglish(text) ? 1 : 2)
    }
    hashes.push(hash)
  }
  return hashes.join(' ')
}

/** `npm run test:everywhere` takes all of them. */
const emptyStep = isEverywhere ? 64 : 64 * 61

let inNode: Promise<string> | undefined
const expected = () =>
  (inNode ??= (async () => {
    const english = createStaticModel(await bytesOf('src/embedders/minilm-static-128.bin'))
    return wordPiecesOfUnicode(
      createLanguagesModel(english, await bytesOf('languages/multi-static-128.bin')),
      emptyStep,
    )
  })())

describe.each(availableBrowsers())('%s', (kind) => {
  const detail = detailIn(kind)
  let browser: Browser
  let site: Awaited<ReturnType<typeof serveFolder>>
  let page: Page

  beforeAll(async () => {
    site = await serveFolder(folder, { headers: {}, mounts: { '/dist': fileURLToPath(new URL('dist/', root)) } })
    browser = await shareBrowser(kind)
    page = await browser.page(`${site.url}/`)
    await vi.waitFor(async () => expect(await page.evaluate('window.ready === true')).toBe(true), { timeout: 60_000 })
  })

  afterAll(async () => {
    await page?.close()
    await browser?.close()
    await site?.close()
  })

  test('[D1] vectors are those of the reference', async () => {
    const hashes = await page.evaluate<readonly string[]>('hashesOf', golden.map(({ text }) => text)) // biome-ignore format: one line
    expect(hashes).toEqual(golden.map(({ sha256 }) => sha256))
  })

  test('[D1] every character of Unicode gives the same pieces as in Node, whatever Unicode the browser knows', async () => {
    expect(await page.evaluate(`pieces(${wordPiecesOfUnicode.toString()}, ${emptyStep})`)).toBe(await expected())
  })

  detail(
    '[E2] a store loads it from its place next to the English table, and needs no network for it later',
    async () => {
      const works = { ids: ['de'], isVectorRun: true, kept: 5_653_352, lacking: [] }
      expect(await page.evaluate('store()')).toEqual(works)
      expect(await page.evaluate('store("/gone.bin")')).toEqual(works)
    },
  )

  detail('[E2] control: without the table and a stored copy the store says which file is missing', async () => {
    await page.evaluate('clear()')
    expect(await page.evaluate('store("/gone.bin")')).toEqual({
      ids: [],
      isVectorRun: true,
      kept: null,
      lacking: [expect.stringMatching(/not English.*status 404/), expect.stringMatching(/1 of 2 records wait/)],
    })
  })
})

/** The package does not export them. */
const models = `export { createLanguagesModel } from './languages-model.ts'
export { createStaticModel } from './static-model.ts'`

const pageScript = `
import { createLanguagesModel, createStaticModel } from './models.js'
const bytesOf = async (name) => (await fetch('/dist/src/embedders/' + name)).arrayBuffer()
const english = createStaticModel(await bytesOf('minilm-static-128.bin'))
const model = createLanguagesModel(english, await bytesOf('multi-static-128.bin'))
window.hashesOf = (texts) =>
  Promise.all(
    texts.map(async (text) => {
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', model.embed(text)))
      return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('').slice(0, 16)
    }),
  )
window.pieces = (count, emptyStep) => count(model, emptyStep)
const { openRecall } = await import('/dist/src/standalone/index.js')
const files = (mode, ask) => new Promise((resolve, reject) => {
  const request = indexedDB.open('scrubjay-files', 1)
  request.onupgradeneeded = () => request.result.createObjectStore('files')
  request.onerror = () => reject(request.error)
  request.onsuccess = () => {
    const database = request.result
    const transaction = database.transaction('files', mode)
    const asked = ask(transaction.objectStore('files'))
    transaction.oncomplete = () => (database.close(), resolve(asked.result))
  }
})
const kept = async () => (await files('readonly', (store) => store.get('multi-static-128.bin')))?.bytes.byteLength ?? null
window.clear = () => files('readwrite', (store) => store.delete('multi-static-128.bin'))
window.store = async (table) => {
  const assets = table === undefined ? {} : { embeddingLanguages: new URL(table, location.href) }
  const recall = await openRecall({ name: 'languages', languages: ['en', 'de'], assets })
  await recall.put([
    { id: 'de', body: 'Wie setze ich mein Kennwort zurück, wenn ich es vergessen habe?' },
    { id: 'en', body: 'The jay hides an acorn under the leaves of the old oak' },
  ])
  const { hits, plan } = await recall.recall({ text: 'what can I do about the forgotten password?', limit: 1 })
  const { degraded } = await recall.status()
  if (table === undefined) for (let i = 0; i < 50 && (await kept()) === null; i++) await new Promise((resolve) => setTimeout(resolve, 100))
  await recall.destroy()
  return {
    ids: hits.map(({ id }) => id).filter((id) => id === 'de'),
    isVectorRun: plan.channels.vector.ran,
    kept: await kept(),
    lacking: degraded.filter((line) => /not English|wait for/.test(line)),
  }
}
window.ready = true
`
