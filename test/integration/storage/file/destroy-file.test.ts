/** Tests `destroyStore` of stores in files of Node: closed, damaged, half gone, open here or elsewhere; and that other files stay. */
import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { destroyStore, openRecall, stores } from '../../../../src/index.ts'
import { contend, type Owned } from '../../../../worker/node/file-lock.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scrubjay-destroy-'))
  path = join(folder, 'memory.sqlite')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function fill(): Promise<void> {
  const store = await openRecall({ path, embedder: null, languages: ['de'] })
  await store.put({ id: 'one', body: 'Ein Häher versteckt Eicheln.' })
  await store.close()
}

describe('the store in a file', () => {
  test('is deleted with all its files; the name that stores() gives is the one to delete', async () => {
    await fill()
    const [{ name } = { name: null }] = await stores({ folder })
    expect(await destroyStore(name!)).toEqual({ deleted: true })
    expect(readdirSync(folder)).toEqual([])
    expect(await destroyStore(name!)).toEqual({ deleted: false })
    await fill()
    const again = await openRecall({ path, embedder: null })
    expect(await again.count()).toBe(1)
    await again.close()
  })

  test('is deleted if its first page is damaged, or if only its revision is left', async () => {
    await fill()
    const damaged = await openRecall({ path, embedder: null })
    await damaged.put({ id: 'two', body: 'x' })
    await damaged.close()
    writeFileSync(path, new Uint8Array(100), { flag: 'r+' })
    await expect(openRecall({ path, embedder: null })).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    expect(await destroyStore(path)).toEqual({ deleted: true })
    writeFileSync(`${path}-revision`, '7')
    expect(await destroyStore(path)).toEqual({ deleted: true })
    expect(readdirSync(folder)).toEqual([])
  })

  test('is refused while this process or another one has it open', async () => {
    const store = await openRecall({ path, embedder: null })
    await expect(destroyStore(path)).rejects.toMatchObject({ code: 'STORE_BUSY', field: 'name' })
    await store.close()
    // What another process would do.
    const owned = (await contend(path, AbortSignal.timeout(5_000))) as Owned
    await expect(destroyStore(path)).rejects.toMatchObject({ code: 'STORE_BUSY', field: 'name' })
    await owned.release()
    expect(await destroyStore(path)).toEqual({ deleted: true })
  })
})

test('any other file stays', async () => {
  writeFileSync(path, 'my letters')
  expect(await destroyStore(path)).toEqual({ deleted: false })
  truncateSync(path, 0)
  expect(await destroyStore(path)).toEqual({ deleted: false })
  expect(existsSync(path)).toBe(true)
  await expect(destroyStore(join(folder, 'none', 'memory.sqlite'))).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
})
