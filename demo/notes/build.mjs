/**
 * Builds the notes app into a folder: the page with Vite, then the service worker, which knows every file of that build
 * and is named after what is in them. Like the demo, it sees the package only through its public exports.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { policyTag, publicEntries } from '../build.mjs'
import { pagePolicy } from '../security-policy.mjs'

const root = dirname(fileURLToPath(import.meta.url))
const workerName = 'service-worker.js'

/**
 * Replaces what the folder held.
 * @param {string} outDir
 */
export async function buildNotes(outDir) {
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'warn',
    publicDir: 'public',
    plugins: [policyTag(pagePolicy)],
    resolve: { alias: publicEntries() },
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // Inlined assets would be data: addresses, which the policy refuses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  })
  await buildServiceWorker(outDir)
}

/**
 * Makes the service worker anew for the files that are in the folder now.
 * @param {string} outDir
 */
export async function buildServiceWorker(outDir) {
  const files = filesIn(outDir).filter((file) => file !== workerName)
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(outDir, file)))
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    define: { appFiles: JSON.stringify(files), appVersion: JSON.stringify(hash.digest('hex').slice(0, 16)) },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2023',
      rolldownOptions: {
        input: join(root, 'service-worker.ts'),
        // A classic script: not every browser takes modules here.
        output: { entryFileNames: workerName, format: 'iife' },
      },
    },
  })
}

/**
 * @param {string} folder
 * @returns {readonly string[]} paths from the folder, with `/`, in one order
 */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => relative(folder, join(found.parentPath, found.name)).replaceAll(sep, '/'))
    .sort()
}
