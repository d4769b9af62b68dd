/**
 * One configuration for the bundler and for the tests. The tests come in two projects: `node` runs in this process,
 * `browser` also runs in Node but drives real browsers through test/support, one file at a time.
 * `vite build --mode index`, `--mode embedding` and `--mode salvage` each make one worker of dist/worker, after the compiler: a file that
 * needs no other module, because a consumer's bundler may build workers in a format that cannot be split. `--mode hnsw`
 * makes the one file that the worker loads later, by its URL. `--mode inline` makes the engine that Node runs in its own process: one
 * file too, which shares the modules of dist/src with the page's side.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { patchHnswlibPlugin } from './worker/vector/hnsw/patch-hnswlib.mjs'

const seconds = 1000

const workerModes: readonly string[] = ['index', 'embedding', 'hnsw', 'salvage', 'inline']

export default defineConfig(({ mode }) => ({
  // The tests run the sources; package.json points this name at what is built from them.
  resolve: {
    alias: {
      '#inline': fileURLToPath(new URL('worker/inline.ts', import.meta.url)),
      // SQLite's build for Node asks for its modules in a way that bundlers for servers break.
      ...(mode === 'inline' ? { '@sqlite.org/sqlite-wasm': sqliteModule } : {}),
    },
  },
  // Relative, or the worker would look for its files at the root of whatever site serves it.
  base: './',
  publicDir: false,
  plugins: [
    ...(mode === 'inline' ? [sharedModules()] : [withoutFiles()]),
    trimSqlite(),
    sqliteWasmByUrl(),
    patchHnswlibPlugin(),
    hnswByUrl(),
  ],
  // For Node: all packages inside.
  ...(mode === 'inline' ? { ssr: { noExternal: true as const } } : {}),
  build: {
    outDir: 'dist/worker',
    // The compiler's output stands there too.
    emptyOutDir: false,
    target: 'es2023',
    modulePreload: false,
    reportCompressedSize: false,
    // Maps serve debugging in the repository. The package leaves them out, so no file may refer to one.
    sourcemap: 'hidden',
    ...(mode === 'inline' ? { ssr: 'worker/inline.ts', minify: true } : {}),
    rolldownOptions: {
      input: workerModes.includes(mode) ? `worker/${mode}.ts` : [],
      // The workers export nothing, the chunk does.
      preserveEntrySignatures: 'strict',
      output: { entryFileNames: '[name].js', comments: { legal: true, annotation: true } },
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
          // Property tests take 10 s alone, and several times that where browsers run beside them.
          testTimeout: 120 * seconds,
          hookTimeout: 60 * seconds,
          // Patched as it is for the package: as it comes it does not start in Node.
          server: { deps: { inline: ['hnswlib-wasm'] } },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.browser.test.ts'],
          // A child process, not a thread: it must receive signals, so that no browser outlives an interrupted run.
          pool: 'forks',
          fileParallelism: false,
          // In one process, so that files share the browsers of test/support/browsers/shared-browser.ts.
          isolate: false,
          // After the node project: browsers need the processor for themselves to start within their deadlines.
          sequence: { groupOrder: 1 },
          testTimeout: 180 * seconds,
          hookTimeout: 180 * seconds,
        },
      },
    ],
  },
}))

const wasmPlaceholder = 'SCRUBJAY_SQLITE_WASM'

/** Parts that begin so end there; the minifier takes away what follows. `init-sqlite.ts` asks for none of them. */
const unusedParts = [
  // `instantiateWasm` is given.
  'if (!binary) try {',
  'sqlite3.initWorker1API = function() {',
  'if (!sqlite3.wasm.exports.sqlite3_declare_vtab) return;',
  'if (sqlite3.config.disable?.vfs?.kvvfs) return;',
  'if (sqlite3.config.disable?.vfs?.opfs && sqlite3.config.disable.vfs["opfs-vfs"]) return;',
  'if (!sqlite3.opfs || sqlite3.config.disable?.vfs?.opfs) return;',
  'if (!sqlite3.opfs || sqlite3.config.disable?.vfs?.["opfs-wl"]) return;',
]

/** What is found, once, and what stands there instead. */
const trims: readonly (readonly [string, string])[] = [
  // Found and compiled by worker/sqlite/load-sqlite-wasm.ts.
  ['return new URL("sqlite3.wasm", import.meta.url).href', 'return ""'],
  ['new Worker(new URL("sqlite3-worker1.mjs", import.meta.url), { type: "module" })', 'undefined'],
  ['new URL("sqlite3-opfs-async-proxy.js", import.meta.url)', 'new URL("about:blank")'],
  ...unusedParts.map((start) => [start, `return; ${start}`] as const),
  // Licence and version stand at its head already.
  ...['\n\t\t**\n\t\t** LICENSE', '\n\t\t** This code was built'].map(
    (text) => [`\t\t/* @preserve${text}`, `\t\t/* as above${text}`] as const,
  ),
]

/** SQLite's module names three files beside it: two that nothing here uses, and sqlite3.wasm, which we load ourselves. */
function trimSqlite(): Plugin {
  return {
    name: 'scrubjay:trim-sqlite',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /@sqlite\.org\/sqlite-wasm\/dist\/index\.mjs$/ },
      // Strings of one line are replaced: the map of what was there still holds.
      handler: (code) => ({
        code: trims.reduce((trimmed, [found, instead]) => replaceOnce(trimmed, found, instead), code),
        map: null,
      }),
    },
  }
}

/** Puts sqlite3.wasm beside the worker and leaves its URL as it is written, so that a consumer's bundler finds it in turn. */
function sqliteWasmByUrl(): Plugin {
  return {
    name: 'scrubjay:sqlite-wasm-by-url',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /worker\/sqlite\/sqlite-module\.ts$/ },
      handler: (code) => ({ code: replaceOnce(code, "'sqlite3.wasm'", wasmPlaceholder), map: null }),
    },
    // After the minifier, which would rewrite the string and with it what bundlers look for.
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

/** Workers run where there are no files: what reads them in Node is left out. */
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
 * The worker loads hnsw.js by an URL that consumers' bundlers find and copy, as they do sqlite3.wasm; their own hands are
 * kept off the import.
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

/** What dist/src holds already is imported from there: an error thrown inline must be of the class that the app imports. */
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
