/** A WebDAV collection in memory, with entity tags, conditional PUT, Basic authentication, and CORS for any page. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WebDavStandIn {
  /** Of the collection, with a slash at its end. */
  readonly url: string
  readonly blobs: ReadonlyMap<string, Uint8Array>
  close(): Promise<void>
}

/** `user`: name and password as `name:password`. */
export async function serveWebDav(user: string): Promise<WebDavStandIn> {
  const blobs = new Map<string, Uint8Array>()
  const server = createServer((request, response) => {
    void answer(blobs, `Basic ${Buffer.from(user).toString('base64')}`, request).then(([status, headers, body]) =>
      send(response, status, headers, body),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notes/`,
    blobs,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

type Answer = readonly [status: number, headers?: Readonly<Record<string, string>>, body?: string | Uint8Array]

async function answer(
  blobs: Map<string, Uint8Array>,
  authorization: string,
  request: IncomingMessage,
): Promise<Answer> {
  const { method, headers, url = '/' } = request
  if (method === 'OPTIONS') return [204]
  if (headers.authorization !== authorization) return [401]
  const name = url.split('/').at(-1) ?? ''
  const blob = blobs.get(name)
  if (method === 'PROPFIND') {
    const responses = [...blobs].map(
      ([one, bytes]) =>
        `<d:response><d:href>/notes/${one}</d:href><d:propstat><d:prop><d:getetag>${tagOf(bytes)}</d:getetag></d:prop></d:propstat></d:response>`,
    )
    return [
      207,
      { 'Content-Type': 'application/xml' },
      `<d:multistatus xmlns:d="DAV:">${responses.join('')}</d:multistatus>`,
    ]
  }
  if (method === 'GET' || method === 'HEAD') return blob === undefined ? [404] : [200, { ETag: tagOf(blob) }, blob]
  if (method !== 'PUT') return [405]
  const bytes = await bodyOf(request)
  const current = blobs.get(name)
  const isExpected =
    headers['if-none-match'] === '*'
      ? current === undefined
      : current !== undefined && headers['if-match'] === tagOf(current)
  if (!isExpected) return [412]
  blobs.set(name, bytes)
  return [201, { ETag: tagOf(bytes) }]
}

function send(response: ServerResponse, status: number, headers: Answer[1], body: Answer[2]): void {
  response.writeHead(status, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'PROPFIND, GET, HEAD, PUT',
    'Access-Control-Allow-Headers': 'authorization, content-type, depth, if-match, if-none-match',
    'Access-Control-Expose-Headers': 'ETag',
    ...headers,
  })
  response.end(body)
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function tagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
}
