/**
 * Bundles one worker, with the shipped sources it imports, into a temporary folder with a page that starts it. The
 * page offers `ask(worker, request)`: each worker answers its requests in order, each answer is a value or an error.
 */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

export interface Bundle {
  /** Serve this folder; its index is the page. */
  readonly folder: string
  remove(): Promise<void>
}

export async function bundleWorker(entry: string): Promise<Bundle> {
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-bundle-'))
  await build({
    configFile: false,
    logLevel: 'error',
    base: './',
    build: {
      outDir: folder,
      target: 'es2023',
      minify: false,
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: { input: entry, output: { entryFileNames: 'worker.js' } },
    },
  })
  // The worker looks for it in its own folder, like the worker of the package.
  const sqliteWasm = createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')
  await copyFile(sqliteWasm, join(folder, 'sqlite3.wasm'))
  await writeFile(join(folder, 'index.html'), page)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

const page = `<!doctype html><meta charset="utf-8"><title>worker</title><script type="module">
const workers = new Map()
function start(name) {
  const worker = new Worker('./worker.js', { type: 'module', name })
  const waiting = []
  worker.onmessage = ({ data }) => waiting.shift()(data)
  worker.onerror = (event) => {
    for (const answer of waiting.splice(0)) answer({ error: { code: 'WORKER', message: event.message || 'the worker did not start' } })
  }
  workers.set(name, { worker, waiting })
  return workers.get(name)
}
window.ask = (name, request) => new Promise((resolve) => {
  const { worker, waiting } = workers.get(name) ?? start(name)
  waiting.push(resolve)
  worker.postMessage(request)
})
window.terminate = (name) => { workers.get(name)?.worker.terminate(); workers.delete(name) }
</script>`
