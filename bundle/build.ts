/**
 * Bundles the sources of `src` into `dist/src`, a file for each entry of package.json and the files that they share, and the engine for Node
 * into `dist/worker/inline.js`. All are one build, so that an error of the engine has the class that the app imports. `dist/src/standalone`
 * is the entry `scrubjay` in one file, for pages without a bundler.
 */
import { rm } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { minify } from 'rolldown/utils'
import { patchHnswlibPlugin } from '../worker/vector/hnsw/patch-hnswlib.mjs'
import { hnswByUrl, languagesByUrl, lockByUrl, sqliteModule, sqliteWasmByUrl, trimSqlite } from '../worker-plugins.ts'
import { sharedGroups } from './chunks.ts'
import { bundleDeclarations } from './declarations.ts'
import { inlineEntries, manifest, programs, publicEntries, root } from './entries.ts'
import { markConstants } from './pure-constants.ts'

const entries = [...publicEntries, ...programs, ...inlineEntries, 'worker/thread']
const packages = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies), 'scrubjay-minilm']

/** Modules that act when they are loaded. */
const acting = /\/src\/(?:cli\/main|embedders\/transformers-worker)\.ts$/

/** Built by `src/mcp/bundle-sdk.mjs`. */
const sdk = `${root}src/mcp/sdk.ts`

/** Modules that other folders import by their built file, which alone holds them. */
const withOwnFile = new Set([sdk, ...entries.map((entry) => `${root}${entry}.ts`)])

function ownFiles(): Plugin {
  return {
    name: 'scrubjay:own-files',
    resolveId(id, importer) {
      if (importer === undefined || !id.startsWith('.')) return null
      const path = resolve(dirname(importer), id)
      const isOwn = path !== sdk && path !== `${root}worker/inline.ts` && importer.startsWith(`${dirname(path)}/`)
      if (!withOwnFile.has(path) || isOwn) return null
      return { id: path.replace(/\.ts$/, '.js'), external: true }
    },
  }
}

/** The last changes of each file. */
function finished(): Plugin {
  return {
    name: 'scrubjay:finished',
    async renderChunk(code, { fileName }) {
      if (fileName.startsWith('src/')) return markConstants(code)
      return (await minify(fileName, code, { module: true, codegen: { removeWhitespace: true } })).code
    },
    generateBundle(_options, bundle) {
      // The build of the worker has it.
      delete bundle['sqlite3.wasm']
      withoutDetours(bundle)
    },
  }
}

type Written = Record<string, OutputAsset | OutputChunk>

/**
 * Of a module that some import and others import later, the bundler writes a second file, which only leads to the first. Those others
 * get the first one, if it holds nothing else.
 */
function withoutDetours(bundle: Written): void {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  for (const { fileName, facadeModuleId, imports, isEntry, moduleIds } of chunks) {
    const [target = ''] = imports
    const found = bundle[target]
    if (isEntry || moduleIds.length > 0 || imports.length !== 1 || found?.type !== 'chunk') continue
    if (found.moduleIds.at(-1) !== facadeModuleId) continue
    for (const chunk of chunks) chunk.code = chunk.code.replaceAll(`/${basename(fileName)}")`, `/${basename(target)}")`)
    delete bundle[fileName]
  }
}

async function bundleModules(): Promise<void> {
  const build = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, `${root}${entry}.ts`])),
    external: (id) => /^(?:node:|#)/.test(id) || packages.some((name) => id === name || id.startsWith(`${name}/`)),
    platform: 'neutral',
    preserveEntrySignatures: 'strict',
    resolve: {
      alias: { '@sqlite.org/sqlite-wasm': sqliteModule },
      mainFields: ['module', 'main'],
      conditionNames: ['node', 'import', 'default'],
    },
    transform: { target: 'es2023' },
    treeshake: { moduleSideEffects: (id) => !id.startsWith(`${root}src/`) || acting.test(id) },
    plugins: [
      ownFiles(),
      trimSqlite(),
      sqliteWasmByUrl(),
      patchHnswlibPlugin(),
      hnswByUrl(),
      languagesByUrl(),
      lockByUrl(),
      finished(),
    ] as Plugin[],
  })
  await build.write({
    dir: `${root}dist`,
    entryFileNames: '[name].js',
    chunkFileNames: 'src/shared/[name].js',
    minifyInternalExports: false,
    // `finished` does it: this would print its files again.
    minify: false,
    comments: { legal: true, annotation: true, jsdoc: false },
    codeSplitting: { groups: sharedGroups() },
  })
  await build.close()
}

async function bundleStandalone(): Promise<void> {
  const build = await rolldown({ input: `${root}dist/src/index.js`, external: ['#inline'], platform: 'browser' })
  await build.write({
    file: `${root}dist/src/standalone/index.js`,
    codeSplitting: false,
    minify: true,
  })
  await build.close()
}

// `--modules`: the code alone, over that of an earlier build.
if (process.argv.includes('--modules')) await bundleModules()
else {
  await rm(`${root}dist/src`, { recursive: true, force: true })
  await Promise.all([bundleModules(), bundleDeclarations()])
  await bundleStandalone()
}
