/** Builds the agent's page into a folder. It uses only the public exports of the package. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { policyTag, publicEntries } from '../build.mjs'
import { securityPolicy } from '../security-policy.mjs'

const root = dirname(fileURLToPath(import.meta.url))

/** Besides its own server, the page may connect to the user's model: over TLS, or on this machine. */
export const policy = securityPolicy(['https:', 'http://127.0.0.1:*', 'http://localhost:*'])

/**
 * Replaces the contents of the folder.
 * @param {string} outDir
 */
export async function buildAgent(outDir) {
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'warn',
    publicDir: false,
    plugins: [policyTag(policy.page)],
    resolve: { alias: publicEntries() },
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  })
}
