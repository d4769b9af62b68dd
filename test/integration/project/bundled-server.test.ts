/**
 * Bundles the packed package into a Node server, as server frameworks do. SQLite and the embedding table are found
 * next to the bundle or in the installed package; if they are in neither place, the error speaks of a server and has a
 * hint.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageVersion } from '../../../src/protocol/version.ts'
import { type InstalledPackage, installPackage, run } from '../../support/install-package.ts'

let installed: InstalledPackage

beforeAll(async () => {
  installed = await installPackage()
  await writeFile(join(installed.app, 'server.js'), server)
})

afterAll(() => installed?.remove())

const server = `
import { openRecall } from 'scrubjay'
async function main() {
  try {
    const store = await openRecall({ embedderFailure: 'reject' })
    await store.put([{ id: 'a', title: 'How to compile the program' }, { id: 'b', title: 'Apple pie' }])
    const { hits, plan } = await store.recall({ text: 'building an application', limit: 1 })
    console.log(JSON.stringify({ ids: hits.map(({ id }) => id), isVectorRun: plan.channels.vector.ran }))
  } catch ({ name, code, field, message }) {
    console.log(JSON.stringify({ name, code, field, message }))
  }
}
void main()
`

interface Printed {
  readonly ids?: readonly string[]
  readonly isVectorRun?: boolean
  readonly code?: string
  readonly message?: string
}

const works = { ids: ['a'], isVectorRun: true }

describe.each(['esm', 'cjs'] as const)('bundled by esbuild as %s', (format) => {
  /** A folder for the bundle; outside of the app it finds no installed package. */
  const bundle = async (folder: string) => {
    const outfile = join(folder, format === 'esm' ? 'server.mjs' : 'server.cjs')
    await mkdir(folder, { recursive: true })
    await build({
      absWorkingDir: installed.app,
      entryPoints: ['server.js'],
      outfile,
      bundle: true,
      platform: 'node',
      format,
      logLevel: 'error',
    })
    return outfile
  }
  const start = async (file: string, folder: string) =>
    JSON.parse(await run(process.execPath, [file], folder)) as Printed

  test('needs nothing else in the app’s folder', async () => {
    const file = await bundle(join(installed.app, 'built'))
    expect(await start(file, installed.app)).toEqual(works)
    // Nor when it is started from another folder.
    expect(await start(file, '/')).toEqual(works)
  })

  test('finds the two files in its own folder elsewhere, and without them its error says what to do', async () => {
    const folder = join(installed.app, '..', `alone-${format}`)
    const file = await bundle(folder)
    const packed = join(installed.app, 'node_modules/scrubjay/dist')
    const bare = await start(file, folder)
    expect(bare).toMatchObject({ name: 'RecallError', code: 'STORAGE_UNAVAILABLE' })
    expect(bare.message).toMatch(
      /^sqlite3\.wasm could not be read: looked at .*ENOENT.*next to the bundle.*file: URL in assets\.sqliteWasm/,
    )
    expect(bare.message).not.toMatch(/served|Serve|policy|Aborted|\.\./)

    // Control: an installed package of another version is not used.
    const other = join(folder, 'node_modules/scrubjay')
    await cp(join(packed, 'worker/sqlite3.wasm'), join(other, 'dist/worker/sqlite3.wasm'))
    await writeFile(
      join(other, 'package.json'),
      JSON.stringify({ name: 'scrubjay', version: `${packageVersion}-other` }),
    )
    expect(await start(file, folder)).toEqual(bare)

    await cp(join(packed, 'worker/sqlite3.wasm'), join(folder, 'sqlite3.wasm'))
    const tableless = await start(file, folder)
    expect(tableless).toMatchObject({ code: 'INVALID_CONFIG', field: 'assets.embedding' })
    expect(tableless.message).toMatch(/looked at .*ENOENT.*copy minilm-static-128\.bin into the folder of the bundle/)

    await cp(join(packed, 'src/embedders/minilm-static-128.bin'), join(folder, 'minilm-static-128.bin'))
    expect(await start(file, folder)).toEqual(works)
  })
})

test('works with URLs that a framework rewrote for browsers', async () => {
  const outfile = join(installed.app, 'rewritten/server.mjs')
  let count = 0
  await build({
    absWorkingDir: installed.app,
    entryPoints: ['server.js'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    banner: { js: fromRoot },
    plugins: [
      {
        name: 'rewrite',
        setup({ onLoad }) {
          onLoad({ filter: /scrubjay[/\\]dist[/\\].*\.js$/ }, async ({ path }) => {
            const code = await readFile(path, 'utf8')
            const contents = code.replaceAll(
              /new URL\((['"][^'"]+['"]),\s*import\.meta\.url\)/g,
              (_whole, file: string) => {
                count++
                return `fromRoot(${file})`
              },
            )
            return { contents, loader: 'js' }
          })
        },
      },
    ],
  })
  // sqlite3.wasm, hnsw.js, the table twice, two workers.
  expect(count).toBeGreaterThanOrEqual(5)
  expect(JSON.parse(await run(process.execPath, [outfile], installed.app))).toEqual(works)
})

/** As Next.js compiles such a URL: an object of a class whose `href` is a path. */
const fromRoot = `function fromRoot(file) {
  const href = '/_next/static/media/' + file.split('/').at(-1)
  return Object.create(URL.prototype, { href: { value: href }, protocol: { value: '' }, toString: { value: () => href } })
}`
