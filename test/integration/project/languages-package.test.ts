/** Tests the package scrubjay-languages as it is published: packed, installed next to scrubjay, and found by Node. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type InstalledPackage, installPackage, root, run } from '../../support/install-package.ts'

let installed: InstalledPackage
let folder: string
let packed: { readonly filename: string; readonly size: number; readonly files: readonly { readonly path: string }[] }

beforeAll(async () => {
  installed = await installPackage()
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-languages-'))
  const answer = await run('npm', ['pack', '--json', '--pack-destination', folder], join(root, 'languages'))
  packed = JSON.parse(answer)[0]
})

afterAll(async () => {
  await installed?.remove()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

describe('scrubjay-languages', () => {
  test('is below 5 MB, and holds the table and its attributions', () => {
    expect(packed.size).toBeLessThan(5_000_000)
    const paths = packed.files.map(({ path }) => path).sort()
    expect(paths).toEqual(['NOTICE.md', 'README.md', 'index.d.ts', 'index.js', 'multi-static-128.bin', 'package.json'])
  })

  test('is not a part of scrubjay', async () => {
    expect(installed.files.filter(({ path }) => path.includes('multi-static'))).toEqual([])
    // Control: in this repository the table is next to the English one.
    expect((await readFile(join(root, 'dist/src/embedders/multi-static-128.bin'))).length).toBe(5_653_352)
  })

  test('[E2] without it an app in Node learns how to get it; installed, it is found, with and without the option', async () => {
    await writeFile(join(installed.app, 'plain.js'), appOf(''))
    expect(JSON.parse(await run(process.execPath, ['plain.js'], installed.app))).toEqual({
      found: false,
      missing: [expect.stringMatching(/Install scrubjay-languages and give its embeddingLanguages/)],
    })
    const own = join(installed.app, 'node_modules/scrubjay-languages')
    await mkdir(own, { recursive: true })
    await run('tar', ['-xzf', join(folder, packed.filename), '-C', own, '--strip-components=1'], folder)
    const works = { found: true, missing: [] }
    expect(JSON.parse(await run(process.execPath, ['plain.js'], installed.app))).toEqual(works)
    await writeFile(join(installed.app, 'given.js'), appOf("import { embeddingLanguages } from 'scrubjay-languages'"))
    expect(JSON.parse(await run(process.execPath, ['given.js'], installed.app))).toEqual(works)
  })
})

/** Prints whether an English question finds German text. */
function appOf(imported: string): string {
  return `
import { openRecall } from 'scrubjay'
${imported}
const assets = ${imported === '' ? '{}' : '{ embeddingLanguages }'}
const recall = await openRecall({ languages: ['en', 'de'], assets })
await recall.put([{ id: 'de', body: 'Wie setze ich mein Kennwort zurück?' }, { id: 'en', body: 'The recipe of the apple pie' }])
const { hits } = await recall.recall('forgotten password')
const { degraded } = await recall.status()
console.log(JSON.stringify({ found: hits[0]?.id === 'de', missing: degraded.filter((line) => line.includes('not English')) }))
await recall.close()
`
}
