/** Tests the static server of demo and tests: which files it serves, with which type, and what it refuses. */
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveFolder } from '../../support/pages/static-server.ts'

let folder: string
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-static-'))
  await mkdir(join(folder, 'root', 'sub'), { recursive: true })
  await mkdir(join(folder, 'root-secret'))
  await mkdir(join(folder, 'other'))
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await writeFile(join(folder, 'root-secret', 'secret.txt'), 'secret')
  await writeFile(join(folder, 'root', 'a b.html'), '<p>spaced</p>')
  await writeFile(join(folder, 'root', 'sub', 'index.html'), '<p>sub</p>')
  await writeFile(join(folder, 'other', 'mounted.bin'), Uint8Array.from([0, 255]))
  for (const ending of Object.keys(types)) await writeFile(join(folder, 'root', `file.${ending}`), '{}')
  site = await serveFolder(join(folder, 'root'), {
    headers: { 'Content-Security-Policy': "default-src 'self'" },
    mounts: {
      '/lib': join(folder, 'other'),
      '/report': (_, response) => void response.writeHead(202).end('noted'),
    },
  })
})

afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

const types: Readonly<Record<string, string>> = {
  bin: 'application/octet-stream',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  unknown: 'application/octet-stream',
}

test.each(Object.entries(types))('serves .%s as %s with the extra headers', async (ending, type) => {
  const response = await fetch(`${site.url}/file.${ending}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe(type)
  expect(response.headers.get('content-security-policy')).toBe("default-src 'self'")
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-length')).toBe('2')
  expect(await response.text()).toBe('{}')
})

test('serves escaped names, the index of a folder, mounts and handlers', async () => {
  expect(await (await fetch(`${site.url}/a%20b.html?x=1`)).text()).toBe('<p>spaced</p>')
  const folderPage = await fetch(`${site.url}/sub`)
  expect([folderPage.url, await folderPage.text()]).toEqual([`${site.url}/sub/`, '<p>sub</p>'])
  expect(new Uint8Array(await (await fetch(`${site.url}/lib/mounted.bin`)).arrayBuffer())).toEqual(
    Uint8Array.from([0, 255]),
  )
  const report = await fetch(`${site.url}/report`, { method: 'POST', body: 'x' })
  expect([report.status, await report.text()]).toEqual([202, 'noted'])
})

test('headers of the caller win', async () => {
  const own = await serveFolder(join(folder, 'root'), {
    headers: { 'cache-control': 'no-cache', 'Content-Type': 'text/x-own' },
  })
  const { headers } = await fetch(`${own.url}/file.js`)
  expect([headers.get('cache-control'), headers.get('content-type')]).toEqual(['no-cache', 'text/x-own'])
  await own.close()
})

test('a changed file is served with its current content', async () => {
  const path = join(folder, 'root', 'changing.txt')
  await writeFile(path, 'before')
  expect(await (await fetch(`${site.url}/changing.txt`)).text()).toBe('before')
  await writeFile(path, 'afterwards')
  expect(await (await fetch(`${site.url}/changing.txt`)).text()).toBe('afterwards')
})

// A socket has a size, but reading it fails even for root.
test.skipIf(process.platform === 'win32')('a read that fails ends only its own answer', async () => {
  const socket = createServer().listen(join(folder, 'root', 'file.socket'))
  await once(socket, 'listening')
  await expect(getRaw('/file.socket')).rejects.toThrow()
  expect((await fetch(`${site.url}/file.js`)).status).toBe(200)
  await new Promise((done) => socket.close(done))
})

test('answers a missing file with 404, another method with 405, an automatic favicon request with 204', async () => {
  expect((await fetch(`${site.url}/nothing.js`)).status).toBe(404)
  expect((await fetch(`${site.url}/lib/nothing.js`)).status).toBe(404)
  expect((await fetch(`${site.url}/nothing`)).status).toBe(404)
  expect((await fetch(`${site.url}/sub/index`)).status).toBe(404)
  expect((await fetch(`${site.url}/file.js`, { method: 'POST' })).status).toBe(405)
  expect((await fetch(`${site.url}/favicon.ico`)).status).toBe(204)
  const head = await fetch(`${site.url}/file.js`, { method: 'HEAD' })
  expect([head.headers.get('content-length'), await head.text()]).toEqual(['2', ''])
})

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/sub/../../secret.txt',
  '/..\\secret.txt',
  '/%2e%2e%5csecret.txt',
  '/../root-secret/secret.txt',
  '/lib/../secret.txt',
  '/lib/%2e%2e/secret.txt',
  '//etc/passwd',
  '/lib//etc/passwd',
  '//example.com',
  '/\\example.com',
  '/file.js%00.html',
  '/%',
  '/%c0%ae%c0%ae/secret.txt',
])('refuses %s', async (path) => {
  const { status, text } = await getRaw(path)
  expect([403, 404]).toContain(status)
  expect(text).not.toMatch(/secret|root:/)
})

/** Sends the path unchanged; `fetch` would resolve its dots first. */
function getRaw(path: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(site.url)
    request({ hostname, port, path }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
      .on('error', reject)
      .end()
  })
}
