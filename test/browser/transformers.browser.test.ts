/**
 * Tests transformersEmbedder in pages: in a worker of its own, over a stand-in in every browser, over transformers.js
 * and MiniLM in Chromium where they are installed. No request goes to another server.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser } from '../support/browsers/browsers.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { findTransformers, noTransformers } from '../support/find-transformers.ts'
import { type BundledPage, bundlePage } from '../support/pages/bundle-page.ts'
import { serveFolder } from '../support/pages/static-server.ts'

const real = findTransformers()
const standIns = fileURLToPath(new URL('../support/stand-ins/', import.meta.url))

let bundled: BundledPage
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  bundled = await bundlePage(pageScript)
  const modules = real && join(real.folder, 'node_modules')
  site = await serveFolder(bundled.folder, {
    mounts: {
      '/stand-ins': standIns,
      ...(real && modules
        ? {
            '/transformers': join(modules, '@huggingface/transformers/dist'),
            '/onnx': join(modules, 'onnxruntime-web/dist'),
            '/models': real.models,
          }
        : {}),
    },
  })
})

afterAll(async () => {
  await site?.close()
  await bundled?.remove()
})

describe.each(availableBrowsers())('%s', (kind) => {
  let browser: Browser

  beforeAll(async () => {
    browser = await shareBrowser(kind)
  })

  afterAll(() => browser?.close())

  test('embeds in a worker of its own, reports progress, ends at an abort, and makes a store’s vectors', async () => {
    const page = await browser.page(`${site.url}/`)
    const seen = await page.evaluate<Seen>('runAll(args[0])', { library: '/stand-ins/transformers.mjs' })
    expect(seen).toEqual({ ...expected, isOnPage: false })
    await page.close()
  })

  test('reports a library that no bundler put into its worker', async () => {
    const page = await browser.page(`${site.url}/`)
    expect(await page.evaluate('fail()')).toMatchObject({ code: 'INVALID_CONFIG', field: 'embedder.library' })
    expect(await page.evaluate('fail({ worker: "/no-such-worker.js" })')).toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'embedder.worker',
    })
    await page.close()
  })

  if (kind === 'chromium') {
    test('runs MiniLM on WebAssembly', async ({ skip }) => {
      if (real === null) return skip(noTransformers)
      const page = await browser.page(`${site.url}/`)
      const seen = await page.evaluate<Seen>('runAll(args[0])', {
        library: '/transformers/transformers.min.js',
        wasmPath: '/onnx/',
        modelPath: '/models/',
      })
      expect(seen).toEqual({ ...expected, isOnPage: false })
      await page.close()
    })
  }
})

interface Seen {
  readonly lengths: readonly number[]
  readonly isAlike: boolean
  readonly isWhole: boolean
  readonly aborted: string
  readonly found: string
  readonly isVectorRun: boolean
  readonly isOnPage: boolean
}

const expected: Omit<Seen, 'isOnPage'> = {
  lengths: [384, 384, 384],
  isAlike: true,
  isWhole: true,
  aborted: 'ABORTED',
  found: 'a',
  isVectorRun: true,
}

const pageScript = `
const at = (path) => path === undefined ? undefined : new URL(path, location.href)
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0)

window.runAll = async ({ library, wasmPath, modelPath = '/models/' }) => {
  const told = []
  const embedder = embedders.transformersEmbedder({
    model: 'minilm', dimensions: 384, library: at(library), wasmPath: at(wasmPath), modelPath: at(modelPath),
    device: 'wasm', onProgress: (progress) => told.push(progress),
  })
  const [one, two, three] = await embedder.embed(
    ['compiling a program', 'compile the programs', 'apple pie'], 'document')
  const controller = new AbortController()
  const texts = Array.from({ length: 100 }, (_, i) => 'record ' + i)
  const aborting = embedder.embed(texts, 'document', { signal: controller.signal }).catch((error) => error.code)
  controller.abort()
  const recall = await scrubjay.openRecall({ storage: 'memory', name: 'transformers', embedder })
  await recall.put([{ id: 'a', body: 'compiling the program' }, { id: 'b', body: 'a recipe for apple pie' }])
  const { hits, plan } = await recall.recall('compile programs')
  await recall.close()
  await embedder.close()
  return {
    lengths: [one, two, three].map((vector) => vector.length),
    isAlike: dot(one, two) > dot(one, three) + 0.2,
    isWhole: told.length > 1 && told.at(-1).loaded === told.at(-1).total,
    aborted: await aborting,
    found: hits[0].id,
    isVectorRun: plan.channels.vector.ran,
    isOnPage: performance.getEntriesByType('resource').some(({ name }) => name === at(library).href),
  }
}

window.fail = async ({ worker } = {}) => {
  const embedder = embedders.transformersEmbedder({
    model: 'a/gte-small', ...(worker ? { worker: () => new Worker(worker, { type: 'module' }) } : {}),
  })
  const error = await embedder.embed(['text'], 'query').catch((reason) => reason)
  await embedder.close()
  return { code: error.code, field: error.field, message: error.message }
}
`
