/** Builds the WebMCP page into a folder. It uses only the public exports of the package. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { policyTag, publicEntries } from '../build.mjs'
import { pagePolicy } from '../security-policy.mjs'

const root = dirname(fileURLToPath(import.meta.url))

/**
 * Replaces the contents of the folder.
 * @param {string} outDir
 */
export async function buildWebMcp(outDir) {
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'warn',
    publicDir: false,
    plugins: [policyTag(pagePolicy)],
    resolve: { alias: publicEntries() },
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  })
}
