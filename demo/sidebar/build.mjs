/**
 * Builds the extension into a folder that a browser can load unpacked. Run as a program, it first builds the library if that
 * is stale, then the extension into `dist` in this folder, and packs it for the store. It uses only the public exports of the
 * package.
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { zipSync } from 'fflate'
import { build } from 'vite'
import { buildLibrary, isLibraryStale, publicEntries } from '../build.mjs'

const root = dirname(fileURLToPath(import.meta.url))

if (argv[1] !== undefined && resolve(argv[1]) === fileURLToPath(import.meta.url)) {
  if (isLibraryStale() && !(await buildLibrary())) {
    process.stdout.write('The library did not build. The reason is above.\n')
    process.exitCode = 1
  } else {
    const folder = join(root, 'dist')
    await buildSidebar(folder)
    const zip = join(root, `scrubjay-sidebar-${version()}.zip`)
    writeFileSync(zip, packFolder(folder))
    process.stdout.write(`Load this folder as an unpacked extension: ${folder}\nFor the store: ${zip}\n`)
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
        input: ['panel.html', 'privacy.html', 'service-worker.ts'].map((file) => join(root, file)),
        output: {
          // The manifest refers to the service worker by this name.
          entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
        },
      },
    },
  })
  cpSync(join(root, 'icons'), join(outDir, 'icons'), { recursive: true })
  const manifest = JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8'))
  writeFileSync(join(outDir, 'manifest.json'), `${JSON.stringify({ ...manifest, version: version() }, null, 2)}\n`)
}

/**
 * A zip of the folder. The same files always give the same bytes.
 * @param {string} folder
 * @returns {Uint8Array}
 */
export function packFolder(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => join(found.parentPath, found.name))
    .sort()
  const entries = files.map((file) => [relative(folder, file).replaceAll(sep, '/'), new Uint8Array(readFileSync(file))])
  // The earliest time of the format, in local time, as zips store it.
  return zipSync(Object.fromEntries(entries), { level: 9, mtime: new Date(1980, 0, 1) })
}

/** @returns {string} of the package */
function version() {
  return JSON.parse(readFileSync(join(root, '..', '..', 'package.json'), 'utf8')).version
}
