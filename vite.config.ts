/**
 * One configuration for the bundler and for the tests. The tests come in two projects: `node` runs in this process,
 * `browser` also runs in Node but drives real browsers through test/support, one file at a time.
 * Bundling options of the library join this object as further top-level keys (`build`, `worker`, `plugins`).
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const seconds = 1000

export default defineConfig({
  // The tests run the sources; package.json points this name at what is built from them.
  resolve: { alias: { '#inline': fileURLToPath(new URL('worker/inline.ts', import.meta.url)) } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['test/{unit,property,contract,integration,parity,golden}/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts'],
          testTimeout: 30 * seconds,
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
          // After the node project: browsers need the processor for themselves to start within their deadlines.
          sequence: { groupOrder: 1 },
          testTimeout: 180 * seconds,
          hookTimeout: 180 * seconds,
        },
      },
    ],
  },
})
