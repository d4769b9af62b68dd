/**
 * Bundles the bench's page, the built library and the peers into a folder. The page uses the library as an app does.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { peerPackages, peersFolder } from './peer-packages.mjs'

const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url))

export async function bundlePage(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: fileURLToPath(new URL('page', import.meta.url)),
    base: './',
    logLevel: 'error',
    publicDir: false,
    resolve: {
      alias: [
        { find: /^scrubjay$/, replacement: join(repositoryRoot, 'dist/src/index.js') },
        { find: /^scrubjay\/embedders$/, replacement: join(repositoryRoot, 'dist/src/embedders/index.js') },
      ],
    },
    plugins: [furtherPeers()],
    worker: { format: 'es', plugins: () => [furtherPeers()] },
    build: { outDir, emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  })
}

/** Finds the further peers in their own folder; the name of one that is not installed stays unresolved and unused. */
function furtherPeers(): Plugin {
  const names = Object.keys(peerPackages)
  return {
    name: 'further-peers',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('sqlite-vec-wasm-demo/sqlite3.mjs')) return null
      // It looks for its WebAssembly in its own folder by a name that a bundler cannot see.
      const anchor = 'return new URL(path, import.meta.url).href'
      if (!code.includes(anchor)) throw new Error(`${id} has changed: no "${anchor}" in it`)
      return code.replace(anchor, "return new URL('sqlite3.wasm', import.meta.url).href")
    },
    async resolveId(source, importer) {
      if (!names.some((name) => source === name || source.startsWith(`${name}/`))) return null
      const anchor = join(peersFolder, 'package.json')
      if (importer === anchor) return null
      const found = await this.resolve(source, anchor, { skipSelf: true })
      return found ?? { id: source, external: true }
    },
  }
}
