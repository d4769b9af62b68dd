/**
 * Builds a page around the built package, as an app would with Vite and without any configuration, into a temporary
 * folder. The page's script gets the public entries as `scrubjay`, `embedders` and `devtools`.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

export interface BundledPage {
  /** Serve this folder; its index is the page. */
  readonly folder: string
  remove(): Promise<void>
}

const dist = fileURLToPath(new URL('../../../dist/', import.meta.url))

/** `script` is the body of a module; values it puts on `window` can be evaluated. */
export async function bundlePage(script: string): Promise<BundledPage> {
  const root = await mkdtemp(join(tmpdir(), 'scrubjay-page-'))
  await mkdir(join(root, 'app'))
  await writeFile(join(root, 'app/index.html'), pageHtml)
  await writeFile(join(root, 'app/main.js'), `${imports}\n${script}`)
  await build({
    configFile: false,
    root: join(root, 'app'),
    base: './',
    logLevel: 'error',
    build: { outDir: join(root, 'built') },
    resolve: {
      alias: [
        { find: /^scrubjay$/, replacement: join(dist, 'src/index.js') },
        {
          find: /^scrubjay\/(embedders|devtools|import|salvage|tools|replicate)$/,
          replacement: join(dist, 'src/$1/index.js'),
        },
      ],
    },
  })
  return { folder: join(root, 'built'), remove: () => rm(root, { recursive: true, force: true }) }
}

const pageHtml = `<!doctype html><html lang="en"><meta charset="utf-8"><title>scrubjay</title>
<script type="module" src="main.js"></script></html>`

const imports = `import * as scrubjay from 'scrubjay'
import * as embedders from 'scrubjay/embedders'
import * as devtools from 'scrubjay/devtools'`
