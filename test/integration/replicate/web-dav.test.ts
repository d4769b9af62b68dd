/**
 * Tests `webDavTransport` against Apache's mod_dav, which `.ci/install-browsers.sh` installs from Debian. Skipped where it is missing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRecall } from '../../../src/index.ts'
import { replicate, webDavTransport } from '../../../src/replicate/index.ts'

const apache = '/usr/sbin/apache2'
const modules = '/usr/lib/apache2/modules'

describe.skipIf(!existsSync(apache))('webDavTransport over Apache', () => {
  let folder: string
  let server: ChildProcess
  let url: string
  const transport = () => webDavTransport(`${url}/store/`)
  const bytesOf = (text: string) => new TextEncoder().encode(text)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scrubjay-dav-'))
    await mkdir(join(folder, 'root', 'store'), { recursive: true })
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const load = (name: string) => `LoadModule ${name}_module ${modules}/mod_${name}.so`
    await writeFile(
      join(folder, 'apache.conf'),
      [
        ...['mpm_event', 'authz_core', 'dav', 'dav_fs', 'dav_lock'].map(load),
        `ServerRoot "${folder}"`,
        `ServerName 127.0.0.1`,
        `Listen 127.0.0.1:${port}`,
        `PidFile "${folder}/pid"`,
        `ErrorLog "${folder}/errors"`,
        `DocumentRoot "${folder}/root"`,
        `DavLockDB "${folder}/locks"`,
        `User ${process.getuid?.() === 0 ? 'www-data' : '#-1'}`,
        `<Directory "${folder}/root">`,
        '  Dav On',
        '  Require all granted',
        '</Directory>',
      ].join('\n'),
    )
    await openToAll(folder)
    server = spawn(apache, ['-DFOREGROUND', '-f', join(folder, 'apache.conf')], { stdio: 'ignore' })
    await answers(url)
  })

  afterAll(async () => {
    server?.kill('SIGTERM')
    await new Promise((resolve) =>
      server === undefined || server.exitCode !== null ? resolve(null) : server.once('exit', resolve),
    )
    await rm(folder, { recursive: true, force: true })
  })

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
    await rm(join(folder, 'root/store/s1-64-00'))
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
    const store = join(folder, 'root/store')
    const files = await readdir(store, { withFileTypes: true })
    for (const file of files.filter((entry) => entry.isFile()))
      expect(await readFile(join(store, file.name), 'latin1')).not.toMatch(/acorn|magpie|walnut/)
    expect(await a.replication.sync()).toEqual({ pulled: 0, pushed: 0, inserted: 0, updated: 0, forgotten: 0 })
    await Promise.all([a.recall.close(), b.recall.close()])
  })

  test('names what the server refuses', async () => {
    await expect(Promise.resolve(webDavTransport(`${url}/missing/`).list())).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: expect.stringMatching(/PROPFIND.*404/) as string,
    })
  })
})

/** The server's processes run as another user, if these tests run as root. */
async function openToAll(folder: string): Promise<void> {
  const { chmod } = await import('node:fs/promises')
  for (const path of [folder, join(folder, 'root'), join(folder, 'root/store')]) await chmod(path, 0o777)
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(url).catch(() => null)
    if (response !== null) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('Apache did not start')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
