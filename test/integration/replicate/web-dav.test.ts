/**
 * Tests `webDavTransport` against Apache's mod_dav, which `.ci/install-browsers.sh` installs from Debian. Skipped where it is missing.
 */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRecall } from '../../../src/index.ts'
import { replicate, webDavTransport } from '../../../src/replicate/index.ts'
import { type Apache, hasApache, startApache } from '../../support/stand-ins/apache.ts'

describe.skipIf(!hasApache)('webDavTransport over Apache', () => {
  let server: Apache
  const transport = () => webDavTransport(`${server.url}/store/`)
  const bytesOf = (text: string) => new TextEncoder().encode(text)

  beforeAll(async () => {
    server = await startApache()
  })

  afterAll(() => server?.close())

  test('reads, lists and writes blobs, each write only over the version that was read', async () => {
    const blobs = transport()
    expect(await blobs.get('s1-64-00')).toBe(null)
    const first = await blobs.put('s1-64-00', bytesOf('one'), undefined)
    expect(first).toBeTruthy()
    expect(await blobs.put('s1-64-00', bytesOf('other'), undefined)).toBe(null)
    expect((await blobs.list()).get('s1-64-00')).toBe(first)
    const second = await blobs.put('s1-64-00', bytesOf('second'), first!)
    expect(second).not.toBe(first)
    expect(await blobs.put('s1-64-00', bytesOf('third'), first!)).toBe(null)
    const stored = await blobs.get('s1-64-00')
    expect(new TextDecoder().decode(stored!.bytes)).toBe('second')
    expect(stored!.etag).toBe(second)
    await rm(join(server.store, 's1-64-00'))
  })

  test('keeps two stores equal, and holds no plain text', async () => {
    const key = crypto.getRandomValues(new Uint8Array(32))
    const open = async (name: string) => {
      const recall = await openRecall({ name, storage: 'memory', embedder: null })
      return { recall, replication: replicate(recall, { transport: transport(), key, everyMs: null }) }
    }
    const [a, b] = [await open('dav-a'), await open('dav-b')]
    await a.recall.put([
      { id: 'x', body: 'The acorn is under the oak' },
      { id: 'y', body: 'A magpie' },
    ])
    await b.recall.put({ id: 'z', body: 'A walnut' })
    await a.replication.sync()
    expect(await b.replication.sync()).toMatchObject({ inserted: 2, pushed: 1 })
    expect(await a.replication.sync()).toMatchObject({ inserted: 1, pushed: 0 })
    await b.recall.forget('y')
    await b.replication.sync()
    expect(await a.replication.sync()).toMatchObject({ forgotten: 1, pushed: 0 })
    expect((await a.recall.recall('acorn oak')).hits.map(({ id }) => id)).toEqual(['x'])
    const files = await readdir(server.store, { withFileTypes: true })
    for (const file of files.filter((entry) => entry.isFile()))
      expect(await readFile(join(server.store, file.name), 'latin1')).not.toMatch(/acorn|magpie|walnut/)
    expect(await a.replication.sync()).toEqual({
      pulled: 0,
      pushed: 0,
      inserted: 0,
      updated: 0,
      forgotten: 0,
      conflicts: 0,
    })
    await Promise.all([a.recall.close(), b.recall.close()])
  })

  test('names what the server refuses', async () => {
    await expect(Promise.resolve(webDavTransport(`${server.url}/missing/`).list())).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: expect.stringMatching(/PROPFIND.*404/) as string,
    })
  })

  test('names a server that cannot be reached, and passes errors of an own fetch on', async () => {
    await expect(Promise.resolve(webDavTransport('http://127.0.0.1:1/store/').list())).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: expect.stringMatching(/^The WebDAV server cannot be reached\. Hint: /) as string,
    })
    const own = webDavTransport(server.url, { fetch: () => Promise.reject(new RangeError('planted')) })
    await expect(Promise.resolve(own.list())).rejects.toThrow('planted')
  })
})
