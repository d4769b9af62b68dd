/**
 * Builds the extension into a folder that a browser loads unpacked; run by itself, into `dist` beside this file, after the
 * library where that is stale. Like the demo, it sees the package only through its public exports.
 */
import { copyFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { buildLibrary, isLibraryStale, publicEntries } from '../build.mjs'

const root = dirname(fileURLToPath(import.meta.url))

if (argv[1] !== undefined && resolve(argv[1]) === fileURLToPath(import.meta.url)) {
  if (isLibraryStale() && !(await buildLibrary())) {
    process.stdout.write('The library did not build. The reason is above.\n')
    process.exitCode = 1
  } else {
    await buildSidebar(join(root, 'dist'))
    process.stdout.write(`Load this folder as an unpacked extension: ${join(root, 'dist')}\n`)
  }
}

/**
 * Replaces what the folder held.
 * @param {string} outDir
 * @param {import('vite').Plugin[]} [plugins]
 */
export async function buildSidebar(outDir, plugins = []) {
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'warn',
    publicDir: false,
    plugins,
    resolve: { alias: publicEntries() },
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: [join(root, 'panel.html'), join(root, 'service-worker.ts')],
        output: {
          // The manifest names the service worker.
          entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
        },
      },
    },
  })
  for (const file of ['manifest.json', 'icon-128.png']) copyFileSync(join(root, file), join(outDir, file))
}
