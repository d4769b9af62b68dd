/** Checks the transports over HTTP and folders against servers that answer too much, too little, or something else [E3]. */
import { gzipSync } from 'node:zlib'
import { createServer, type Server } from 'node:http'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type DirectoryHandle, folderTransport, s3Transport, webDavTransport } from '../../../src/replicate/index.ts'
import type { RequestLimits, Transport } from '../../../src/replicate/transports/transport.ts'

const unavailable = { name: 'RecallError', code: 'STORAGE_UNAVAILABLE' }
const limits = (maxBytes: number, signal = new AbortController().signal): RequestLimits => ({ maxBytes, signal })

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

async function serve(handler: Parameters<typeof createServer>[1]): Promise<string> {
  server = createServer(handler)
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/notes`
}

const overHttp: readonly (readonly [string, (url: string) => Transport])[] = [
  ['webDavTransport', (url) => webDavTransport(url)],
  ['s3Transport', (url) => s3Transport(url, { fetch: (address, init) => fetch(address, init) })],
]

describe.each(overHttp)('%s', (_, transportTo) => {
  test('a compressed blob is not expanded beyond the limit [E3]', async () => {
    const zeros = gzipSync(new Uint8Array(32 * 1024 * 1024))
    const url = await serve((_request, response) =>
      response.writeHead(200, { ETag: '"1"', 'Content-Encoding': 'gzip' }).end(zeros),
    )
    const transport = transportTo(url)
    await expect(transport.get('a', limits(1_000_000))).rejects.toMatchObject(unavailable)
    const { bytes } = (await transport.get('a', limits(32 * 1024 * 1024)))!
    expect(bytes).toHaveLength(32 * 1024 * 1024)
  })

  test('a list without end is refused [E3]', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(transportTo === overHttp[0]![1] ? 207 : 200)
      const more = () => {
        while (!response.destroyed && response.write('<response>'.padEnd(65_536, ' '))) {}
        response.once('drain', more)
      }
      more()
    })
    await expect(transportTo(url).list()).rejects.toMatchObject(unavailable)
  })

  test('an answer that ends too early is a typed error', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { ETag: '"1"', 'Content-Length': '100' })
      response.write('half', () => response.destroy())
    })
    await expect(transportTo(url).get('a')).rejects.toMatchObject(unavailable)
  })

  test('a server that cannot be reached is a typed error', async () => {
    const url = await serve(() => undefined)
    server!.close()
    const transport = transportTo(url)
    await expect(transport.list()).rejects.toMatchObject(unavailable)
    await expect(transport.get('a')).rejects.toMatchObject(unavailable)
    await expect(transport.put('a', new Uint8Array(3), undefined)).rejects.toMatchObject(unavailable)
  })

  test('each request ends when its signal aborts', async () => {
    const url = await serve(() => undefined)
    const transport = transportTo(url)
    const end = new AbortController()
    const calls = Promise.allSettled([
      transport.list(limits(1_000, end.signal)),
      transport.get('a', limits(1_000, end.signal)),
      transport.put('a', new Uint8Array(3), undefined, limits(1_000, end.signal)),
    ])
    const reason = new Error('ended')
    end.abort(reason)
    expect(await calls).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason })))
  })
})

describe('webDavTransport', () => {
  test('a name that cannot be decoded is another file', async () => {
    const url = await serve((_request, response) =>
      response
        .writeHead(207)
        .end(
          ['/notes/%ZZ', '/notes/s1-64-00', '/notes/%E0%A4%A']
            .map((href, i) => `<d:response><d:href>${href}</d:href><d:getetag>"${i}"</d:getetag></d:response>`)
            .join(''),
        ),
    )
    expect((await webDavTransport(url).list()).get('s1-64-00')).toBe('"1"')
  })
})

describe('s3Transport', () => {
  test('pages that follow one another without end are refused', async () => {
    const transport = s3Transport('https://bucket.example', {
      fetch: async () => new Response('<NextContinuationToken>x</NextContinuationToken>'),
    })
    await expect(transport.list()).rejects.toMatchObject(unavailable)
  })
})

describe('folderTransport', () => {
  test('a large file, a folder in place of a blob, and no folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scrubjay-limits-'))
    await writeFile(join(folder, 'large'), new Uint8Array(1_001))
    await mkdir(join(folder, 'inner'))
    const transport = folderTransport(folder)
    await expect(transport.get('large', limits(1_000))).rejects.toMatchObject(unavailable)
    expect((await transport.get('large', limits(1_001)))!.bytes).toHaveLength(1_001)
    expect([...(await transport.list()).keys()]).toEqual(['large'])
    expect(await transport.get('inner')).toBe(null)
    await rm(folder, { recursive: true })
    await expect(transport.list()).rejects.toMatchObject(unavailable)
    await expect(transport.put('a', new Uint8Array(3), undefined)).rejects.toMatchObject(unavailable)
  })

  test('a picked folder without end, and a file that changes all the time', async () => {
    const end = new AbortController()
    let changes = 0
    const handle: DirectoryHandle = {
      async *entries() {
        for (let i = 0; ; i++) yield [`file ${i}`, { kind: 'file' }] as const as [string, { readonly kind: 'file' }]
      },
      getFileHandle: async () => ({
        getFile: async () => {
          if (++changes === 100) end.abort(new Error('ended'))
          return { lastModified: changes, size: 1, arrayBuffer: async () => new ArrayBuffer(1) }
        },
        createWritable: () => Promise.reject(new Error('no')),
      }),
    }
    const transport = folderTransport(handle)
    await expect(transport.list()).rejects.toMatchObject(unavailable)
    await expect(transport.get('a', limits(10, end.signal))).rejects.toMatchObject(unavailable)
    expect(changes).toBeLessThan(110)
  })
})
