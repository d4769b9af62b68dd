/** Checks what bundles for browsers hold of the packed package, and its sizes. */
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build as buildWithEsbuild } from 'esbuild'
import { describe, expect, test } from 'vitest'
import webpack from 'webpack'
import { kernelBase64 } from '../../../worker/kernel/kernel.generated.ts'
import { root } from '../../support/install-package.ts'
import { bundle, installed } from './installed-package.ts'

describe('a bundle for browsers', () => {
  test('[B1] of scrubjay/core holds no wasm and no worker', async () => {
    const { code, assets } = await bundle("export * from 'scrubjay/core'")
    expect(code.length).toBeGreaterThan(20_000)
    expect(code).not.toMatch(platform)
    expect(assets).toEqual([])
  })

  test.each(['esbuild', 'webpack'] as const)(
    '[B1] of one function of scrubjay/core is little more than that function: %s',
    async (tool) => {
      const bundleOne = { esbuild: esbuildBundle, webpack: webpackBundle }[tool]
      const { code, files } = await bundleOne("import { propagate } from 'scrubjay/core'; globalThis.found = propagate")
      expect(code).not.toMatch(platform)
      expect(files).toHaveLength(1)
      expect(code.length).toBeGreaterThan(500)
      expect(code.length).toBeLessThan(4_000)
    },
    120_000,
  )

  test('[B1] control: the whole of core is far more, and the engine’s entry names its workers', async () => {
    const whole = await esbuildBundle("import * as core from 'scrubjay/core'; globalThis.core = core")
    expect(whole.code.length).toBeGreaterThan(60_000)
    const engine = await esbuildBundle("import { openRecall } from 'scrubjay'; openRecall()")
    expect(engine.code).toMatch(platform)
  })

  test('[B1] control: of scrubjay holds both', async () => {
    const { code, assets } = await bundle("export * from 'scrubjay'")
    expect(code).toMatch(platform)
    expect(assets.filter((name) => name.endsWith('.wasm'))).toHaveLength(1)
  })

  test('never holds the inline engine, nor a module of Node; control: the inline engine needs some', async () => {
    const { modules, code } = await bundle("export * from 'scrubjay'")
    const ofNode = /(['"`])node:\w+(?:\/\w+)*\1|vite-browser-external/
    const worker = (name: string) => readFile(join(root, 'dist/worker', name), 'utf8')
    for (const text of [modules.join(), code, await worker('index.js'), await worker('embedding.js')])
      expect(ofNode.exec(text)?.[0]).toBeUndefined()
    expect(await worker('inline.js')).toMatch(ofNode)
    expect(modules.filter((id) => /dist\/worker\/(?!(index|embedding)\.js)/.test(id))).toEqual([])
    expect(modules.filter((id) => id.endsWith('no-inline.js'))).toHaveLength(1)
  })

  test('keeps what every page loads below 11.6 kB, and below 13.4 kB with comlink; control: the rest is loaded later', async () => {
    const { sizes, first } = await bundle("export { openRecall } from 'scrubjay'", { comlink: /comlink/ })
    process.stdout.write(`client, gzip bytes: ${JSON.stringify(sizes)}\n`)
    const sum = (names: readonly string[]) => names.reduce((bytes, name) => bytes + (sizes[name] ?? 0), 0)
    // Every app already has the helper.
    const own = first.filter((name) => name !== 'helper')
    expect(sum(own)).toBeGreaterThan(8_000)
    expect(sum(own)).toBeLessThan(13_400)
    expect(sum(own.filter((name) => name !== 'comlink'))).toBeLessThan(11_600)
    expect(sum(Object.keys(sizes))).toBeGreaterThan(25_000)
  })

  test('keeps the kernel below 2 kB and the worker with SQLite’s 50 kB of glue below 386 kB', async () => {
    const fileOf = (path: string) => readFile(join(root, path))
    const sizes = {
      kernel: gzipSync(Buffer.from(kernelBase64, 'base64')).length,
      worker: gzipSync(await fileOf('dist/worker/index.js')).length,
      hnsw: gzipSync(await fileOf('dist/worker/hnsw.js')).length,
      salvage: gzipSync(await fileOf('dist/worker/salvage.js')).length,
      sqliteRaw: (await fileOf('dist/worker/sqlite3.wasm')).length,
      tableRaw: (await fileOf('src/embedders/minilm-static-128.bin')).length,
    }
    process.stdout.write(`worker, gzip bytes unless raw: ${JSON.stringify(sizes)}\n`)
    expect(sizes.kernel).toBeLessThan(2_000)
    // The reader of times is 23 kB of it, with times that repeat and times of day in seven languages, and the records of a named time 3 kB; signs, fields, synonyms and joined words are 4 kB, orders and facets 3 kB, lives, stamps
    // and tombstones 4 kB, correction of typing errors 3 kB, standing requests and contradictions 7 kB, suggestions 1 kB, word forms and
    // the addresses of the languages' files 4 kB, reports, states of links and their merging 6 kB, the embedder’s other languages 2 kB,
    // the languages that question and best hit may be in 1 kB, the cache of what answers read 1 kB, parts of words and folded
    // letters in every store 1 kB, the walks that end on damaged bytes and the scopes that restrict nothing 2 kB, merging by field 5 kB, the words and rules of changes 17 kB, words as people
    // write them 9 kB (letters, signs, numbers, names, options, irregular forms), turns, requests and standing statements of chats 8 kB, passages of long texts 8 kB, two spaces of vectors 1 kB, what is known of a subject 2 kB, the words of English 23 kB, earlier versions
    // and the store of another time 3 kB, evidence among copies and of persons 2 kB. They have to be in this file:
    // a consumer's bundler may build workers without code splitting.
    expect(sizes.worker).toBeLessThan(386_000)
    expect(sizes.hnsw).toBeLessThan(230_000)
    // It has the readers of reports and of both schemas: with learned state as reports, and from before; and the table of words.
    expect(sizes.salvage).toBeLessThan(104_000)
  })
})

interface SimpleBundle {
  readonly code: string
  readonly files: readonly string[]
}

async function esbuildBundle(source: string): Promise<SimpleBundle> {
  const { outputFiles } = await buildWithEsbuild({
    stdin: { contents: source, resolveDir: installed.app },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  return { code: outputFiles.map(({ text }) => text).join('\n'), files: outputFiles.map(({ path }) => path) }
}

async function webpackBundle(source: string): Promise<SimpleBundle> {
  const entry = join(installed.app, 'webpack-entry.js')
  const path = await mkdtemp(join(installed.app, 'webpack-'))
  await writeFile(entry, source)
  await new Promise<void>((done, fail) => {
    webpack({ mode: 'production', context: installed.app, entry, output: { path } }, (error, stats) => {
      if (error !== null || stats?.hasErrors() === true) fail(error ?? new Error(stats?.toString('errors-only')))
      else done()
    })
  })
  const files = (await readdir(path)).filter((name) => !name.endsWith('.LICENSE.txt'))
  const texts = await Promise.all(files.map((name) => readFile(join(path, name), 'latin1')))
  return { code: texts.join('\n'), files }
}

const platform = /WebAssembly|new Worker|\.wasm\b|import\.meta|postMessage|navigator\./
