/**
 * Builds the notes app into a folder: the page with Vite, then the service worker with the list of all files and a version
 * from their hash. It uses only the public exports of the package.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { policyTag, publicEntries } from '../build.mjs'
import { securityPolicy } from '../security-policy.mjs'

const root = dirname(fileURLToPath(import.meta.url))
/** Besides its own server, the page may connect to the user's folder: over TLS, or on this machine. */
export const policy = securityPolicy(['https:', 'http://127.0.0.1:*', 'http://localhost:*'])

const workerName = 'service-worker.js'

/**
 * Replaces the contents of the folder.
 * @param {string} outDir
 */
export async function buildNotes(outDir) {
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'warn',
    publicDir: 'public',
    plugins: [policyTag(policy.page)],
    resolve: { alias: publicEntries() },
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // Inlined assets would be data: URLs, which the security policy blocks.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  })
  await buildServiceWorker(outDir)
}

/**
 * Builds the service worker again for the files that are in the folder now.
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
        // A classic script: some browsers do not support module service workers.
        output: { entryFileNames: workerName, format: 'iife' },
      },
    },
  })
}

/**
 * @param {string} folder
 * @returns {readonly string[]} sorted paths relative to the folder, with `/`
 */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => relative(folder, join(found.parentPath, found.name)).replaceAll(sep, '/'))
    .sort()
}
