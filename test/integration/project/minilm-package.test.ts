/** Tests the package scrubjay-minilm as it is published: packed, installed next to scrubjay, and used in Node. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as declared from '../../../minilm/index.d.ts'
import * as source from '../../../minilm/src/index.ts'
import { type InstalledPackage, installPackage, run } from '../../support/install-package.ts'
import { builtMinilm, hasMinilm, minilmFolder, noMinilm } from '../../support/minilm/built-minilm.ts'

let installed: InstalledPackage
let folder: string
let packed: { readonly filename: string; readonly size: number; readonly files: readonly { readonly path: string }[] }

if (!hasMinilm) test('the model is not installed', ({ skip }) => skip(noMinilm))

describe.runIf(hasMinilm)('scrubjay-minilm', () => {
  beforeAll(async () => {
    await builtMinilm()
    installed = await installPackage()
    folder = await mkdtemp(join(tmpdir(), 'scrubjay-minilm-'))
    const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
    packed = JSON.parse(await run('npm', pack, minilmFolder))[0]
  })

  afterAll(async () => {
    await installed?.remove()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  test('is below 17 MB, and holds the model, its code and its attributions', async () => {
    expect((await readFile(join(minilmFolder, 'dist/minilm.bin'))).length).toBeLessThan(17_000_000)
    expect(packed.size).toBeLessThan(15_500_000)
    expect(packed.files.map(({ path }) => path).sort()).toEqual([
      'LICENSE-APACHE',
      'NOTICE.md',
      'README.md',
      'dist/index.js',
      'dist/minilm.bin',
      'dist/worker.js',
      'index.d.ts',
      'package.json',
    ])
  })

  test('has code without other modules than scrubjay/core, which names its worker and its model as bundlers expect', async () => {
    const [entry = '', worker = ''] = await Promise.all(
      ['index', 'worker'].map((name) => readFile(join(minilmFolder, `dist/${name}.js`), 'utf8')),
    )
    expect([...new Set(entry.match(/from"[^"]*"/g))]).toEqual(['from"scrubjay/core"'])
    expect(entry).toContain('new URL("./worker.js",import.meta.url)')
    expect(entry).toContain('new URL("./minilm.bin",import.meta.url)')
    expect(worker).not.toMatch(/\bimport\b/)
    for (const code of [entry, worker]) expect(code.length).toBeLessThan(50_000)
  })

  test('is not a part of scrubjay', () => {
    expect(installed.files.filter(({ path }) => /minilm\.bin|wordpiece/.test(path))).toEqual([])
  })

  test('declares what it has', () => {
    const same: typeof declared.minilmEmbedder = source.minilmEmbedder as never
    const other: typeof source.minilmEmbedder = same as never
    expect(other).toBe(source.minilmEmbedder)
  })

  test('finds texts in other words in Node, and refuses wrong options with the errors of scrubjay', async () => {
    const own = join(installed.app, 'node_modules/scrubjay-minilm')
    await mkdir(own, { recursive: true })
    await run('tar', ['-xzf', join(folder, packed.filename), '-C', own, '--strip-components=1'], folder)
    await writeFile(join(installed.app, 'app.js'), app)
    expect(JSON.parse(await run(process.execPath, ['app.js'], installed.app))).toEqual({
      found: 'reset',
      refused: ['INVALID_CONFIG', 'embedder.sha256', true],
    })
    const program = join(installed.app, 'node_modules/scrubjay/dist/src/cli/main.js')
    const scrubjay = (...args: string[]) =>
      run(
        process.execPath,
        [program, ...args, '--store', 'command.sqlite', '--embedder', 'minilm', '--quiet'],
        installed.app,
      )
    await scrubjay('put', 'To choose new login credentials, open the account page.', '--id', 'reset')
    expect(JSON.parse(await scrubjay('recall', 'forgotten password', '--json')).hits).toMatchObject([{ id: 'reset' }])
    const { vectors } = JSON.parse(await scrubjay('status', '--json'))
    expect(vectors.space).toMatch(/^minilm:/)
  })
})

const app = `
import { openRecall, RecallError } from 'scrubjay'
import { minilmEmbedder } from 'scrubjay-minilm'
const recall = await openRecall({ path: 'store.sqlite', embedder: minilmEmbedder() })
await recall.put([
  { id: 'reset', body: 'To choose new login credentials, open the account page.' },
  { id: 'pie', body: 'The apple pie needs an hour in the oven.' },
])
const { hits } = await recall.recall('forgotten password')
await recall.close()
let refused = []
try {
  minilmEmbedder({ model: new URL('file:///m.bin'), dimensions: 384 })
} catch (error) {
  refused = [error.code, error.field, error instanceof RecallError]
}
console.log(JSON.stringify({ found: hits[0]?.id, refused }))
`
