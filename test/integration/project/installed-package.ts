/** The packed and installed package, for the importing file, and what bundlers make of it. */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll } from 'vitest'
import { type InstalledPackage, installPackage } from '../../support/install-package.ts'

export let installed: InstalledPackage

beforeAll(async () => {
  installed = await installPackage()
})

afterAll(() => installed?.remove())

/** Every entry with code; package.json is another one, without code. */
export const entries = [
  'scrubjay',
  ...[
    'core',
    'embedders',
    'embedders/transformers-worker',
    'tools',
    'ai-sdk',
    'langgraph',
    'langchain',
    'extract',
    'import',
    'replicate',
    'server',
    'mcp',
    'react',
    'vue',
    'svelte',
    'devtools',
    'salvage',
    'testing',
  ].map((name) => `scrubjay/${name}`),
]

interface Bundle {
  /** All code that a page may load, and the names of the other files. */
  readonly code: string
  readonly assets: readonly string[]
  readonly modules: readonly string[]
  /** gzip bytes of the entry and of each part that is a chunk of its own. */
  readonly sizes: { readonly entry: number } & Readonly<Record<string, number>>
  /** The chunks that load with the entry, by name. */
  readonly first: readonly string[]
}

/** Bundles a module of the app. Modules that match one of `parts` become a chunk of that name. */
export async function bundle(source: string, parts: Readonly<Record<string, RegExp>> = {}): Promise<Bundle> {
  const entry = join(installed.app, 'entry.js')
  // Every app already has Vite's own helper for dynamic imports.
  const groups = Object.entries({ ...parts, helper: /preload-helper/ }).map(([name, test]) => ({ name, test }))
  const result = (await build({
    root: installed.app,
    configFile: false,
    logLevel: 'silent',
    plugins: [
      { name: 'entry', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? source : null) },
    ],
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        output: { codeSplitting: { groups }, chunkFileNames: '[name].js', entryFileNames: '[name].js' },
      },
    },
  })) as Rolldown.RolldownOutput
  const chunks = result.output.filter((file) => file.type === 'chunk')
  const first = new Set(chunks.filter(({ name }) => name === 'entry'))
  for (const { imports } of first) for (const chunk of chunks) if (imports.includes(chunk.fileName)) first.add(chunk)
  return {
    code: chunks.map(({ code }) => code).join('\n'),
    assets: result.output.filter((file) => file.type === 'asset').map(({ fileName }) => fileName),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
    sizes: Object.fromEntries(
      chunks.map(({ name, code }) => [name, gzipSync(code, { level: 9 }).byteLength]),
    ) as Bundle['sizes'],
    first: Array.from(first, ({ name }) => name),
  }
}
