/**
 * Tests the package as it is published: packed, installed into an empty app, and checked by publint
 * and attw. For browsers see test/browser/package.browser.test.ts.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { root, run } from '../../support/install-package.ts'
import { bundle, entries, installed } from './installed-package.ts'

/** Entries for other libraries, which the app installs. */
const adapters = ['ai-sdk', 'langgraph', 'langchain', 'react', 'vue', 'svelte']

describe('the tarball', () => {
  test('has at most 150 files, is below 6.2 MB, and holds the needed files, without sources and build state', () => {
    process.stdout.write(`tarball: ${installed.bytes} bytes, ${installed.files.length} files\n`)
    expect(installed.files.length).toBeLessThanOrEqual(150)
    // 3.9 MB of it are the table.
    expect(installed.bytes).toBeLessThan(6_200_000)
    const paths = installed.files.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'package.json',
        'SECURITY.md',
        'docs/api.md',
        'docs/laws.md',
        'docs/spec.md',
        'dist/src/index.js',
        'dist/src/index.d.ts',
        'dist/src/core/index.js',
        'dist/src/embedders/index.js',
        'dist/src/embedders/minilm-static-128.bin',
        'dist/src/embedders/NOTICE.md',
        'dist/src/embedders/transformers-worker.js',
        ...[...adapters, 'tools', 'mcp', 'server', 'devtools', 'salvage', 'testing'].map(
          (entry) => `dist/src/${entry}/index.js`,
        ),
        'dist/worker/index.js',
        'dist/worker/embedding.js',
        'dist/worker/hnsw.js',
        'dist/worker/lock.js',
        'dist/worker/language-de.js',
        'dist/worker/language-tr.js',
        'dist/worker/salvage.js',
        'dist/worker/inline.js',
        'dist/worker/thread.js',
        'dist/worker/sqlite3.wasm',
        'dist/src/standalone/index.js',
        'NOTICE.md',
        ...[...adapters, 'embedders', 'tools', 'mcp', 'cli', 'devtools', 'testing'].map(
          (entry) => `src/${entry}/README.md`,
        ),
      ]),
    )
    expect(
      paths.filter((path) =>
        /\.tsbuildinfo$|(?<!\.d)\.ts$|^(?!dist\/|docs\/(?:spec\/)?[a-z-]+\.md$|src\/[a-z-]+\/README\.md$|(?:README|SECURITY|CHANGELOG|NOTICE)\.md$|llms\.txt$|LICENSE$|package\.json$)/.test(
          path,
        ),
      ),
    ).toEqual([])
  })

  test('holds each module and declaration that its files import', async () => {
    const packed = new Set(installed.files.map(({ path }) => path))
    const missingWithout = async (left: string) => {
      const missing: string[] = []
      for (const path of packed) {
        if (!/\.(?:js|d\.ts)$/.test(path)) continue
        const text = await readFile(join(root, path), 'utf8')
        for (const [, target = ''] of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.\.?\/[^"']+)["']/g)) {
          const module = posix.join(posix.dirname(path), target)
          const needed = path.endsWith('.d.ts') ? module.replace(/\.[jt]s$/, '.d.ts') : module
          if (!packed.has(needed) || needed === left) missing.push(`${path}: ${target}`)
        }
      }
      return missing
    }
    expect(await missingWithout('')).toEqual([])
    // Control.
    expect((await missingWithout('dist/src/shared/model.js')).length).toBeGreaterThan(0)
  })

  test('holds each file whose address its modules name', async () => {
    const packed = new Set(installed.files.map(({ path }) => path))
    const named = new Map<string, string[]>()
    for (const path of [...packed].filter((file) => file.startsWith('dist/src/') && file.endsWith('.js'))) {
      const text = await readFile(join(root, path), 'utf8')
      for (const [, target = ''] of text.matchAll(/new URL\(["'`]([^"'`]+)["'`],\s*import\.meta\.url\)/g))
        named.set(posix.join(posix.dirname(path), target), [...(named.get(target) ?? []), path])
    }
    expect([...named].filter(([file]) => !packed.has(file))).toEqual([])
    expect([...named.keys()].sort()).toEqual([
      'dist/src/embedders/minilm-static-128.bin',
      'dist/src/embedders/transformers-worker.js',
      'dist/worker/embedding.js',
      'dist/worker/index.js',
      'dist/worker/salvage.js',
    ])
  })

  test('names no folder of the build machine', async () => {
    const texts = await Promise.all(
      installed.files
        .filter(({ path }) => /\.(js|ts|json|md|map)$/.test(path))
        .map(async ({ path }) => ({ path, text: await readFile(join(root, path), 'utf8') })),
    )
    expect(
      texts.filter(({ path, text }) => text.includes(root) || namesPackages(path, text)).map(({ path }) => path),
    ).toEqual([])
  })

  test('holds no source map, and no file that refers to one', async () => {
    expect(installed.files.filter(({ path }) => path.endsWith('.map'))).toEqual([])
    for (const { path } of installed.files.filter((file) => file.path.endsWith('.js')))
      expect(await readFile(join(root, path), 'utf8'), path).not.toMatch(/^\/\/# sourceMappingURL/m)
  })

  test('needs comlink and the parsers of import at run time', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    expect(Object.keys(manifest.dependencies)).toEqual([
      'comlink',
      'fflate',
      'htmlparser2',
      'ignore',
      'papaparse',
      'postal-mime',
      'yaml',
    ])
    expect(manifest.engines).toEqual({ node: '>=20.16' })
    expect(manifest.main).toBe(manifest.exports['.'].default)
    for (const field of ['repository', 'homepage', 'bugs', 'keywords']) expect(manifest[field], field).toBeTruthy()
  })

  test('is published with provenance, by package.json and workflow', async () => {
    const { publishConfig } = JSON.parse(
      await readFile(join(installed.app, 'node_modules/scrubjay/package.json'), 'utf8'),
    )
    expect(publishConfig).toEqual({ access: 'public', provenance: true })
    const workflow = await readFile(join(root, '.github/workflows/release.yml'), 'utf8')
    expect(workflow).toMatch(/^ {2}id-token: write$/m)
    expect(workflow.indexOf('.ci/run')).toBeLessThan(workflow.indexOf('npm publish'))
  })

  test('holds workers that need no other module, and find sqlite3.wasm as bundlers expect', async () => {
    const [engine, embedding, salvage] = await Promise.all(
      ['index', 'embedding', 'salvage'].map((name) => readFile(join(root, `dist/worker/${name}.js`), 'utf8')),
    )
    for (const code of [engine, salvage]) expect(code).toContain('new URL("sqlite3.wasm",import.meta.url)')
    expect(engine).toContain('new URL("hnsw.js",import.meta.url)')
    expect(engine).toContain('new URL("language-de.js",import.meta.url)')
    // Except the chunks with HNSW and with languages, which are copied unchanged, and the extensions that an app names: a comment tells
    // bundlers to skip these imports.
    const imports = engine?.match(/\bimport\([^)]*\)/g) ?? []
    const leftAlone = /^import\(\s*\/\* @vite-ignore \*\/\s*\/\* webpackIgnore: true \*\//
    expect(imports.length).toBeGreaterThan(2)
    expect(imports.filter((code) => !leftAlone.test(code))).toEqual([])
    expect(embedding).not.toMatch(/\bimport\(/)
    expect(salvage).not.toMatch(/\bimport\(/)
    for (const code of [engine, embedding, salvage]) expect(code).not.toMatch(/^\s*(import|export)[\s{*"']/m)
  })

  test('holds each language in one file of its own', async () => {
    const files = installed.files.map(({ path }) => path).filter((path) => path.startsWith('dist/worker/language-'))
    expect(files).toHaveLength(17)
    for (const file of files) {
      const chunk = await readFile(join(root, file), 'utf8')
      expect(chunk, file).toMatch(/export\{\w+ as language\}/)
      // Vite would turn a smaller file into a data: URL, which content security policies refuse.
      expect(chunk.length, file).toBeGreaterThan(4_096)
      expect(chunk, file).not.toMatch(/\bimport\(|^\s*import[\s{*"']/m)
      expect(gzipSync(chunk).length, file).toBeLessThan(9_000)
    }
  })

  test('holds the ciphers of locked stores in one file of their own, which nothing else holds', async () => {
    const chunk = await readFile(join(root, 'dist/worker/lock.js'), 'utf8')
    expect(chunk).toMatch(
      /export\{\w+ as changeLock(?:,\w+ as (?:checkStoredLock|createKeyring|holdLocks|openKeyFile|serveExports|serveLocks|unlockBytes)){7}\}/,
    )
    expect(chunk).not.toMatch(/\bimport\(|^\s*import[\s{*"']/m)
    // 2 kB of it wrap a new key for locks that are not at hand, 2 kB encrypt exports.
    expect(gzipSync(chunk).length).toBeLessThan(26_500)
    expect(chunk).toContain('chacha20-poly1305')
    for (const name of ['index', 'embedding', 'salvage', 'inline'])
      expect(await readFile(join(root, `dist/worker/${name}.js`), 'utf8'), name).not.toContain('chacha20-poly1305')
  })

  test('holds HNSW in one file of its own, which evaluates no text as code', async () => {
    const chunk = await readFile(join(root, 'dist/worker/hnsw.js'), 'utf8')
    // Only its end: a chunk of 700 kB would be too long a message for a failed test.
    expect(chunk.slice(-120)).toMatch(
      /export\{\w+ as openAccelerator\};?\s*(\/\/# sourceMappingURL=hnsw\.js\.map\s*)?$/,
    )
    expect(chunk).not.toMatch(/\bimport\(|^\s*import[\s{*"']/m)
    const codeFromText = /(^|[^\w$.])(new\s+)?Function\s*\(|[^\w$.]eval\s*\(/m
    expect(chunk).not.toMatch(codeFromText)
    // Control: the unpatched chunk evaluates text.
    expect(await readFile(join(root, 'node_modules/hnswlib-wasm/lib/hnswlib.mjs'), 'utf8')).toMatch(/newFunc\(Function/)
    const engine = await readFile(join(root, 'dist/worker/index.js'), 'utf8')
    expect(engine).not.toMatch(/HierarchicalNSW/)
  })
})

describe('the checkers', () => {
  test('publint finds nothing', async () => {
    const publint = join(root, 'node_modules/publint/src/cli.js')
    expect(await run(process.execPath, [publint, 'run', installed.tarball, '--strict'], root)).toMatch(/All good/)
  })

  test('attw finds the types right for ESM and for bundlers', async () => {
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    const report = await run(
      process.execPath,
      [attw, installed.tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-color'],
      root,
    )
    const verdicts = report.match(/^(node16 \(from ESM\)|bundler): .*$/gm) ?? []
    expect(verdicts).toHaveLength(2 * (entries.length + 1))
    for (const verdict of verdicts) expect(verdict).toContain('🟢')
  })
})

describe('the entries without the engine', () => {
  test('can be imported by Node without a document, and without the app’s own packages', async () => {
    const names = entries.filter((name) => !/ai-sdk|lang|react|vue|svelte|transformers-worker/.test(name))
    const source = `for (const name of ${JSON.stringify(names)}) await import(name); console.log('all')`
    await writeFile(join(installed.app, 'all.js'), source)
    expect(await run(process.execPath, ['all.js'], installed.app)).toBe('all\n')
  })

  test.each(['tools', 'devtools', 'testing'])('[B1] scrubjay/%s holds no wasm and no worker', async (name) => {
    const { code, assets } = await bundle(`export * from 'scrubjay/${name}'`)
    expect(code.length).toBeGreaterThan(3_000)
    expect(code).not.toMatch(/WebAssembly|new Worker|\.wasm\b/)
    expect(assets).toEqual([])
  })

  test('scrubjay/salvage is small, and brings only its own worker', async () => {
    const { sizes, assets } = await bundle("export { salvage } from 'scrubjay/salvage'", { comlink: /comlink/ })
    process.stdout.write(`salvage, gzip bytes: ${JSON.stringify(sizes)}\n`)
    expect(sizes.entry).toBeLessThan(3_000)
    expect(assets.filter((name) => name.endsWith('.js'))).toEqual([expect.stringMatching(/salvage/)])
  })

  test('scrubjay/embedders can be bundled where transformers.js is not installed', async () => {
    const { assets } = await bundle("export { transformersEmbedder, httpEmbedder } from 'scrubjay/embedders'")
    expect(assets.filter((name) => /transformers-worker/.test(name))).toHaveLength(1)
  })
})

/** The map of a worker names the packages of its sources; the guide for pages without a bundler names an address. */
function namesPackages(path: string, text: string): boolean {
  return !/\.map$|^docs\/bundlers\.md$/.test(path) && text.includes('node_modules/')
}
