/**
 * Configures the bundler and the tests. The tests have two projects: `node` needs nothing else; `browser` also runs in
 * Node but drives real browsers through test/support. Each has two processes, which take one file after the other.
 * After the compiler, `vite build --mode index`, `--mode embedding` and `--mode salvage` each build one worker of dist/worker: a single
 * file, because a consumer's bundler may build workers in a format without code splitting. `--mode hnsw`, `--mode lock` and `--mode languages` build
 * files that the worker loads later by URL. `bundle/build.ts` builds the other files of the package.
 */
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { isQuick, quickBrowserFiles, quickNodeFiles, slowNodeFiles } from './test/support/tiers/tiers.ts'
import { patchHnswlibPlugin } from './worker/vector/hnsw/patch-hnswlib.mjs'
import {
  hnswByUrl,
  languagesByUrl,
  lockByUrl,
  neverInlined,
  sqliteWasmByUrl,
  trimSqlite,
  withoutFiles,
} from './worker-plugins.ts'

const seconds = 1000
const siteTest = 'test/browser/site.browser.test.ts'

/** Two, so that a processor has work while a file waits: for its browser, its programs or its own one thread. */
const atOnce = Math.min(2, availableParallelism())

const workerModes: readonly string[] = ['index', 'embedding', 'hnsw', 'lock', 'salvage']

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
    alias: { '#inline': fileURLToPath(new URL('worker/inline.ts', import.meta.url)) },
  },
  // Relative: otherwise the worker would look for its files at the root of the site.
  base: './',
  publicDir: false,
  plugins: [
    withoutFiles(),
    trimSqlite(),
    sqliteWasmByUrl(),
    patchHnswlibPlugin(),
    hnswByUrl(),
    languagesByUrl(),
    lockByUrl(),
    ...(mode === 'languages' ? [neverInlined()] : []),
  ],
  build: {
    outDir: 'dist/worker',
    // The compiler's output is in the same folder.
    emptyOutDir: false,
    target: 'es2023',
    modulePreload: false,
    reportCompressedSize: false,
    // Source maps are for debugging in the repository. The package leaves them out, so no file may refer to one.
    sourcemap: 'hidden',
    // 0.7 % smaller than Vite's own minifier makes it. Bundlers of apps read the comments in `import()`.
    ...(mode === 'index'
      ? {
          minify: 'terser' as const,
          terserOptions: {
            module: true,
            ecma: 2020 as const,
            compress: { passes: 3 },
            format: { comments: /^!|@license|@preserve|-ignore|Ignore/ },
          },
        }
      : {}),
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
          include: isQuick
            ? [...quickNodeFiles]
            : ['test/{unit,property,contract,integration,parity,golden}/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts', ...(isQuick ? slowNodeFiles : [])],
          // Files share processes.
          isolate: false,
          maxWorkers: Math.max(atOnce, availableParallelism() - 1),
          setupFiles: ['test/support/fresh-modules.ts', 'test/support/tiers/record-times.ts'],
          // Property tests take 10 s alone, and many times as long while browsers run.
          testTimeout: 240 * seconds,
          // Some hooks build and pack, on a busy machine.
          hookTimeout: 300 * seconds,
          expect: polling,
          // Patched as for the package: the original does not start in Node.
          server: { deps: { inline: ['hnswlib-wasm'] } },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: isQuick ? [...quickBrowserFiles] : ['test/browser/**/*.browser.test.ts'],
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
      {
        extends: true,
        test: {
          // It takes minutes: `npm run tasks`.
          name: 'tasks',
          include: ['test/tasks/*.test.ts'],
          ...inBrowsers,
        },
      },
    ],
  },
}))

function inputsOf(mode: string): string | string[] {
  if (mode !== 'languages') return workerModes.includes(mode) ? `worker/${mode}.ts` : []
  const folder = 'worker/languages/files'
  return readdirSync(new URL(folder, import.meta.url))
    .filter((file) => file !== 'language.ts')
    .map((file) => `${folder}/${file}`)
}
