/** Tests `folderTransport` over a real folder: blobs, and two devices that meet there. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRecall } from '../../../src/index.ts'
import { folderTransport, replicate } from '../../../src/replicate/index.ts'

describe('folderTransport', () => {
  let folder: string
  const bytesOf = (text: string) => new TextEncoder().encode(text)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scrubjay-folder-'))
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('reads, lists and writes blobs, each write only over the version that was read', async () => {
    const blobs = folderTransport(folder)
    expect(await blobs.get('a')).toBe(null)
    const first = await blobs.put('a', bytesOf('one'), undefined)
    expect(await blobs.put('a', bytesOf('two'), undefined)).toBe(null)
    expect([...(await blobs.list())]).toEqual([['a', first]])
    const second = await blobs.put('a', bytesOf('two'), first!)
    expect(second).not.toBe(first)
    expect(await blobs.put('a', bytesOf('six'), first!)).toBe(null)
    expect(await blobs.get('a')).toEqual({ bytes: bytesOf('two'), etag: second })
    expect(await readdir(folder)).toEqual(['a'])
    await rm(join(folder, 'a'))
  })

  test('keeps two stores equal while both write, and holds no plain text', async () => {
    const key = crypto.getRandomValues(new Uint8Array(32))
    const open = async (name: string) => {
      const recall = await openRecall({ name, storage: 'memory', embedder: null })
      return { recall, replication: replicate(recall, { transport: folderTransport(folder), key, everyMs: null }) }
    }
    const devices = await Promise.all(['folder-a', 'folder-b', 'folder-c'].map(open))
    for (let round = 0; round < 5; round++)
      await Promise.all(
        devices.map(async ({ recall, replication }, i) => {
          await recall.put({ id: `${i}-${round}`, body: `acorn ${i} ${round}` })
          if (round > 2) await recall.forget(`${(i + 1) % 3}-0`)
          await replication.sync()
        }),
      )
    for (let round = 0; round < 3; round++) for (const { replication } of devices) await replication.sync()
    for (const { recall, replication } of devices) {
      expect((await recall.list()).items.map(({ id }) => id).sort()).toEqual(
        [0, 1, 2].flatMap((i) => [1, 2, 3, 4].map((round) => `${i}-${round}`)),
      )
      expect(await replication.sync()).toEqual({
        pulled: 0,
        pushed: 0,
        inserted: 0,
        updated: 0,
        forgotten: 0,
        conflicts: 0,
      })
    }
    for (const name of await readdir(folder))
      expect(await readFile(join(folder, name), 'latin1')).not.toContain('acorn')
    await Promise.all(devices.map(({ recall }) => recall.close()))
  })

  test('does not take the etag of another device for that of its own write', async () => {
    const [a, b] = [folderTransport(folder), folderTransport(folder)]
    for (let round = 0; round < 50; round++) {
      const name = `both-${round}`
      const [mine, theirs] = await Promise.all([
        a.put(name, bytesOf(`a ${round}`), undefined),
        b.put(name, bytesOf(`b ${round}`), undefined),
      ])
      const stored = (await a.get(name))!
      const written = new TextDecoder().decode(stored.bytes)
      if (mine === stored.etag) expect(written).toBe(`a ${round}`)
      if (theirs === stored.etag) expect(written).toBe(`b ${round}`)
      expect([mine, theirs]).toContain(stored.etag)
      await rm(join(folder, name))
    }
  })

  test('names a folder that is missing', async () => {
    const { list } = folderTransport(join(folder, 'missing'))
    await expect(Promise.resolve(list())).rejects.toThrow(/ENOENT/)
  })
})
