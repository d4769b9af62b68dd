/**
 * Builds the extension into a folder that a browser can load unpacked. Run as a program, it first builds the library if that
 * is stale, then the extension into `dist` in this folder. It uses only the public exports of the package.
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
 * Replaces the contents of the folder.
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
          // The manifest refers to the service worker by this name.
          entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
        },
      },
    },
  })
  for (const file of ['manifest.json', 'icon-128.png']) copyFileSync(join(root, file), join(outDir, file))
}
