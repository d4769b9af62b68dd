/**
 * Builds the site into a folder: `npm run site`. Markdown becomes pages, headings become records of the search, tables become
 * plots; Vite bundles the scripts; the demo is built as for `npm start`. All addresses are relative, so any folder of any server
 * can hold the site.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { buildDemo, buildLibrary, isLibraryStale, publicEntries } from '../demo/build.mjs'
import { demoPage } from './pages/demo.ts'
import { docsIndex, docsPage } from './pages/docs.ts'
import { homePage } from './pages/home.ts'
import { type Assets, layout, type PageContent } from './pages/layout.ts'
import { playgroundPage } from './pages/playground.ts'
import { recordsOf } from './content/records.ts'
import { root, sources } from './content/sources.ts'
import { pagePolicy } from './site-policy.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
export const siteFolder = join(here, 'dist')

/** Replaces the contents of the folder. */
export async function buildSite(outDir: string): Promise<void> {
  rmSync(outDir, { recursive: true, force: true })
  const assets = await bundle(outDir)
  for (const page of sitePages()) write(outDir, page.path, layout(page, assets, pagePolicy))
  write(outDir, 'search.json', JSON.stringify(sources.flatMap((source) => recordsOf(source))))
  for (const folder of ['docs/pictures', 'docs/plots'])
    cpSync(join(root, folder), join(outDir, folder), { recursive: true })
  cpSync(join(root, 'demo/shared/scrubjay.svg'), join(outDir, 'scrubjay.svg'))
  // GitHub Pages would drop files whose names begin with an underscore.
  write(outDir, '.nojekyll', '')
  await buildDemo(join(outDir, 'demo'))
}

export function sitePages(): readonly PageContent[] {
  const docs = sources.filter(({ file }) => file !== 'README.md').map(docsPage)
  return [homePage(), demoPage, playgroundPage, docsIndex(), ...docs]
}

async function bundle(outDir: string): Promise<Assets> {
  const input = { main: join(here, 'client/main.ts'), playground: join(here, 'client/playground/main.ts') }
  const result = await build({
    configFile: false,
    root: here,
    base: './',
    logLevel: 'warn',
    publicDir: false,
    resolve: { alias: publicEntries() },
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2023',
      // Inlined assets would be data: URLs, which the security policy blocks.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
      reportCompressedSize: false,
      rolldownOptions: { input, output: { entryFileNames: 'assets/[name]-[hash].js' } },
    },
  })
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) => ('output' in one ? one.output : []))
  const entries = outputs.flatMap((one) =>
    one.type === 'chunk' && one.isEntry ? [[one.name, one.fileName] as const] : [],
  )
  const styles = outputs.map(({ fileName }) => fileName).filter((name) => name.endsWith('.css'))
  return { scripts: Object.fromEntries(entries), styles }
}

function write(outDir: string, path: string, text: string): void {
  const file = join(outDir, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (isLibraryStale() && !(await buildLibrary())) process.exit(1)
  await buildSite(siteFolder)
  process.stdout.write(`The site is in ${siteFolder}\nServe it with: npm run site:serve\n`)
}
