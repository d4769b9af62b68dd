/** Builds the agent's page into a folder. Like the demo, it sees the package only through its public exports. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { policyTag, publicEntries } from '../build.mjs'
import { securityPolicy } from '../security-policy.mjs'

const root = dirname(fileURLToPath(import.meta.url))

/** Beyond its own server the page may reach one thing: the model somebody plugs in, over TLS or on this machine. */
export const policy = securityPolicy(['https:', 'http://127.0.0.1:*', 'http://localhost:*'])

/**
 * Replaces what the folder held.
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
