/** Bundles the bench's page, the built library and the peers into a folder. The page sees the library as a consumer does. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

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
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  })
}
