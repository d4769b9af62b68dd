/**
 * Configures the bundler and the tests. The tests have two projects: `node` needs nothing else; `browser` also runs in
 * Node but drives real browsers through test/support. Each has two processes, which take one file after the other.
 * After the compiler, `vite build --mode index`, `--mode embedding` and `--mode salvage` each build one worker of dist/worker: a single
 * file, because a consumer's bundler may build workers in a format without code splitting. `--mode hnsw` and `--mode languages` build
 * files that the worker loads later by URL. `--mode inline` builds the engine that Node runs in its own process, also as a single file.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { patchHnswlibPlugin } from './worker/vector/hnsw/patch-hnswlib.mjs'

const seconds = 1000
const siteTest = 'test/browser/site.browser.test.ts'

/** Two, so that a processor has work while a file waits: for its browser, its programs or its own one thread. */
const atOnce = Math.min(2, availableParallelism())

const workerModes: readonly string[] = ['index', 'embedding', 'hnsw', 'salvage', 'inline']

/** How long `expect.poll` waits: usually a moment, but other processes may have the processors. */
const polling = { poll: { timeout: 20 * seconds } }

/** Tests that drive browsers. */
const inBrowsers = {
  // A child process, not a thread: it must receive signals, so that no browser outlives an interrupted run.
  pool: 'forks' as const,
  // Few, so that browsers start within their deadlines.
  maxWorkers: atOnce,
  // Files of a process share the browsers of test/support/browsers/shared-browser.ts.
  isolate: false,
  // After the node project: browsers start within their deadlines only if the processor is free.
  sequence: { groupOrder: 1 },
  testTimeout: 180 * seconds,
  hookTimeout: 180 * seconds,
  expect: polling,
}

export default defineConfig(({ mode }) => ({
  // The tests run the sources; package.json maps this name to the built file.
  resolve: {
    alias: {
      '#inline': fileURLToPath(new URL('worker/inline.ts', import.meta.url)),
      // SQLite's build for Node loads its modules in a way that server bundlers break.
      ...(mode === 'inline' ? { '@sqlite.org/sqlite-wasm': sqliteModule } : {}),
    },
  },
  // Relative: otherwise the worker would look for its files at the root of the site.
  base: './',
  publicDir: false,
  plugins: [
    ...(mode === 'inline' ? [sharedModules()] : [withoutFiles()]),
    trimSqlite(),
    sqliteWasmByUrl(),
    patchHnswlibPlugin(),
    hnswByUrl(),
    languagesByUrl(),
    ...(mode === 'languages' ? [neverInlined()] : []),
  ],
  // For Node, all packages are bundled.
  ...(mode === 'inline' ? { ssr: { noExternal: true as const } } : {}),
  build: {
    outDir: 'dist/worker',
    // The compiler's output is in the same folder.
    emptyOutDir: false,
    target: 'es2023',
    modulePreload: false,
    reportCompressedSize: false,
    // Source maps are for debugging in the repository. The package leaves them out, so no file may refer to one.
    sourcemap: 'hidden',
    ...(mode === 'inline' ? { ssr: 'worker/inline.ts', minify: true } : {}),
    rolldownOptions: {
      input: inputsOf(mode),
      // The workers export nothing, the chunk does.
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: mode === 'languages' ? 'language-[name].js' : '[name].js',
        comments: { legal: true, annotation: true },
      },
    },
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['test/{unit,property,contract,integration,parity,golden}/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts'],
          // Files share processes.
          isolate: false,
          maxWorkers: Math.max(atOnce, availableParallelism() - 1),
          setupFiles: ['test/support/fresh-modules.ts'],
          // Property tests take 10 s alone, and many times as long while browsers run.
          testTimeout: 240 * seconds,
          hookTimeout: 120 * seconds,
          expect: polling,
          // Patched as for the package: the original does not start in Node.
          server: { deps: { inline: ['hnswlib-wasm'] } },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.browser.test.ts'],
          // It takes minutes: `npm run site:test`.
          exclude: [siteTest],
          ...inBrowsers,
        },
      },
      {
        extends: true,
        test: {
          name: 'site',
          include: [siteTest],
          ...inBrowsers,
        },
      },
    ],
  },
}))

/** Makes small files larger than 4 kB: Vite would turn them into data: URLs, which content security policies refuse. */
function neverInlined(): Plugin {
  const least = 4_200
  return {
    name: 'scrubjay:never-inlined',
    generateBundle(_options, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk') continue
        const lacking = least - file.code.length
        if (lacking > 0) file.code += `/*${' '.repeat(lacking)}*/\n`
      }
    },
  }
}

function inputsOf(mode: string): string | string[] {
  if (mode !== 'languages') return workerModes.includes(mode) ? `worker/${mode}.ts` : []
  const folder = 'worker/languages/files'
  return readdirSync(new URL(folder, import.meta.url))
    .filter((file) => file !== 'language.ts')
    .map((file) => `${folder}/${file}`)
}

const wasmPlaceholder = 'SCRUBJAY_SQLITE_WASM'

/** Unused parts of SQLite's module that begin with these lines. A `return` in front lets the minifier remove them. */
const unusedParts = [
  // `instantiateWasm` is set.
  'if (!binary) try {',
  'sqlite3.initWorker1API = function() {',
  'if (!sqlite3.wasm.exports.sqlite3_declare_vtab) return;',
  'if (sqlite3.config.disable?.vfs?.kvvfs) return;',
  'if (sqlite3.config.disable?.vfs?.opfs && sqlite3.config.disable.vfs["opfs-vfs"]) return;',
  'if (!sqlite3.opfs || sqlite3.config.disable?.vfs?.opfs) return;',
  'if (!sqlite3.opfs || sqlite3.config.disable?.vfs?.["opfs-wl"]) return;',
  // Files of Emscripten's own file system that are loaded later, or before.
  'class LazyUint8Array {',
  'if (globalThis.XMLHttpRequest) abort("Lazy loading',
  'var fullname = name ? PATH_FS.resolve(PATH.join2(parent, name)) : parent;\n\t\tvar dep',
]

/** [text that must occur exactly once, its replacement]. */
const trims: readonly (readonly [string, string])[] = [
  // worker/sqlite/load-sqlite-wasm.ts loads and compiles it.
  ['return new URL("sqlite3.wasm", import.meta.url).href', 'return ""'],
  ['new Worker(new URL("sqlite3-worker1.mjs", import.meta.url), { type: "module" })', 'undefined'],
  ['new URL("sqlite3-opfs-async-proxy.js", import.meta.url)', 'new URL("about:blank")'],
  ...unusedParts.map((start) => [start, `return; ${start}`] as const),
  // The head of the file already has licence and version.
  ...['\n\t\t**\n\t\t** LICENSE', '\n\t\t** This code was built'].map(
    (text) => [`\t\t/* @preserve${text}`, `\t\t/* as above${text}`] as const,
  ),
]

/** Removes the URLs of three files from SQLite's module: two are unused here, and sqlite3.wasm is loaded by our own code. */
function trimSqlite(): Plugin {
  return {
    name: 'scrubjay:trim-sqlite',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /@sqlite\.org\/sqlite-wasm\/dist\/index\.mjs$/ },
      // Only strings within one line are replaced, so the old source map stays valid.
      handler: (code) => ({
        code: trims.reduce((trimmed, [from, to]) => replaceOnce(trimmed, from, to), code),
        map: null,
      }),
    },
  }
}

/** Copies sqlite3.wasm into the worker's folder and keeps its URL unchanged, so that a consumer's bundler finds it, too. */
function sqliteWasmByUrl(): Plugin {
  return {
    name: 'scrubjay:sqlite-wasm-by-url',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /worker\/sqlite\/sqlite-module\.ts$/ },
      handler: (code) => ({ code: replaceOnce(code, "'sqlite3.wasm'", wasmPlaceholder), map: null }),
    },
    // After the minifier, which would rewrite the string that bundlers look for.
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && file.code.includes(wasmPlaceholder)) {
          file.code = replaceOnce(file.code, wasmPlaceholder, '"sqlite3.wasm"')
          this.emitFile({ type: 'asset', fileName: 'sqlite3.wasm', source: readFileSync(sqliteWasm) })
        }
      }
    },
  }
}

/** Removes the functions that read files in Node from the builds of workers. */
function withoutFiles(): Plugin {
  return {
    name: 'scrubjay:without-files',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /(src\/protocol\/package-files|worker\/sqlite\/read-sqlite-wasm)\.ts$/ },
      handler: (code) => ({
        code: Array.from(
          code.matchAll(/^export (?:async )?function (\w+)/gm),
          ([, name]) => `export const ${name} = () => false`,
        ).join('\n'),
        map: null,
      }),
    },
  }
}

/**
 * The worker loads hnsw.js by a URL, which consumers' bundlers find and copy like that of sqlite3.wasm. The comments in the
 * import keep bundlers from resolving it themselves.
 */
function hnswByUrl(): Plugin {
  return {
    name: 'scrubjay:hnsw-by-url',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /worker\/vector\/hnsw\/load-hnsw\.ts$/ },
      handler: (code) =>
        replaceOnce(
          code,
          "return import('./accelerator.ts')",
          `return import(/* @vite-ignore */ /* webpackIgnore: true */ new URL(${hnswPlaceholder}, import.meta.url).href)`,
        ),
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && file.code.includes(hnswPlaceholder))
          file.code = replaceOnce(file.code, hnswPlaceholder, '"hnsw.js"')
      }
    },
  }
}

/** The same for the file of each language. */
function languagesByUrl(): Plugin {
  const placeholder = /SCRUBJAY_LANGUAGE_([a-z]+)/g
  return {
    name: 'scrubjay:languages-by-url',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /worker\/languages\/load-languages\.ts$/ },
      handler: (code) => ({
        code: code.replaceAll(
          /import\('\.\/files\/([a-z]+)\.ts'\)/g,
          'import(/* @vite-ignore */ /* webpackIgnore: true */ new URL(SCRUBJAY_LANGUAGE_$1, import.meta.url).href)',
        ),
        map: null,
      }),
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = file.code.replaceAll(placeholder, '"language-$1.js"')
    },
  }
}

/** Imports the modules of dist/src instead of bundling them: an inline error must have the class that the app imports. */
function sharedModules(): Plugin {
  const source = fileURLToPath(new URL('src/', import.meta.url))
  return {
    name: 'scrubjay:shared-modules',
    apply: 'build',
    enforce: 'pre',
    resolveId(name, importer) {
      if (importer === undefined || !name.startsWith('.')) return null
      const path = resolve(dirname(importer), name)
      if (!path.startsWith(source)) return null
      return { id: `../src/${path.slice(source.length).replaceAll('\\', '/').replace(/\.ts$/, '.js')}`, external: true }
    },
  }
}

const hnswPlaceholder = 'SCRUBJAY_HNSW'
const sqliteWasm = createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')
const sqliteModule = resolve(dirname(sqliteWasm), 'index.mjs')

function replaceOnce(code: string, from: string, to: string): string {
  const parts = code.split(from)
  if (parts.length !== 2) throw new Error(`Expected ${from} once, found it ${parts.length - 1} times.`)
  return parts.join(to)
}
