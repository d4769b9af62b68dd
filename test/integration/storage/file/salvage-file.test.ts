/** Tests salvage of stores in files of Node: every record that comes out equals the stored one, missing ones are named, no byte changes. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRecall } from '../../../../src/index.ts'
import { type Salvaged, salvage } from '../../../../src/salvage/index.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scrubjay-salvage-'))
  path = join(folder, 'memory.sqlite')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const count = 400
const bodyOf = (i: number) => `Der Häher ${i} versteckt Eicheln unter ${'Blättern und Zweigen '.repeat(1 + (i % 40))}`

async function fill(): Promise<void> {
  const store = await openRecall({ path, embedder: null, languages: ['de'] })
  await store.put(Array.from({ length: count }, (_, i) => ({ id: `r${i}`, body: bodyOf(i), tags: [`t${i % 3}`] })))
  await store.close()
}

/** The records in a new store. */
async function imported(salvaged: Salvaged) {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const part of salvaged.exportTo()) parts.push(part)
  const store = await openRecall({ name: 'salvaged', storage: 'memory', embedder: null, languages: ['de'] })
  await store.importFrom(new Blob(parts), { mode: 'replace' })
  const { items } = await store.list({ limit: 1000 })
  await store.destroy()
  return items
}

describe('salvage of a file', () => {
  test('of an undamaged store exports everything, and changes no byte', async () => {
    await fill()
    const before = readFileSync(path)
    const salvaged = await salvage({ path })
    expect(salvaged).toMatchObject({ storage: 'file', records: count, unreadable: 0, isCountExact: true })
    const items = await imported(salvaged)
    expect(items.map(({ id, body }) => [id, body]).sort()).toEqual(
      Array.from({ length: count }, (_, i) => [`r${i}`, bodyOf(i)]).sort(),
    )
    salvaged.close()
    await expect(salvaged.exportTo()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'CLOSED' })
    expect(readFileSync(path).equals(before)).toBe(true)
    await expect.poll(() => existsSync(`${path}-open`)).toBe(false)
  })

  test('of a damaged file exports intact records, and never a changed text', async () => {
    await fill()
    const bytes = readFileSync(path)
    for (let at = 12 * 4096; at < bytes.length; at += 9 * 4096) {
      // Without its schema, nothing of a file can be read.
      const isSchema = bytes.subarray(at, at + 4096).includes('CREATE ')
      if (!isSchema) bytes.fill(0x5a, at + 100, at + 300)
    }
    writeFileSync(path, bytes)
    const salvaged = await salvage({ path })
    expect(salvaged.records).toBeGreaterThan(count / 4)
    expect(salvaged.records).toBeLessThan(count)
    const items = await imported(salvaged)
    expect(items).toHaveLength(salvaged.records)
    for (const { id, body } of items) expect(body).toBe(bodyOf(Number(id.slice(1))))
    salvaged.close()
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  test('reads the journal of a process that was killed', async () => {
    await fill()
    const store = await openRecall({ path, embedder: null })
    await store.put({ id: 'late', body: 'Im Journal' })
    const copies = ['', '-wal', '-revision'].map((end) => [end, readFileSync(path + end)] as const)
    await store.close()
    const copy = join(folder, 'copy.sqlite')
    for (const [end, bytes] of copies) writeFileSync(copy + end, bytes)
    expect(statSync(`${copy}-wal`).size, 'control: there is one').toBeGreaterThan(4096)
    const salvaged = await salvage({ path: copy })
    expect(salvaged).toMatchObject({ records: count + 1, missingChanges: 0 })
    expect((await imported(salvaged)).map(({ id }) => id)).toContain('late')
    salvaged.close()
  })

  test('[E1] is refused for an open store, a missing one, and wrong options', async () => {
    const store = await openRecall({ path, embedder: null })
    await expect(salvage({ path })).rejects.toMatchObject({ code: 'STORE_BUSY', field: 'path' })
    await store.close()
    await expect(salvage({ path: join(folder, 'none.sqlite') })).rejects.toMatchObject({ code: 'DATA_MISSING' })
    await expect(salvage({ path, name: 'x' })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'name' })
    await expect(salvage({ path: '' })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'path' })
    writeFileSync(path, 'my letters')
    await expect(salvage({ path })).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    expect(readFileSync(path, 'utf8')).toBe('my letters')
  })
})
