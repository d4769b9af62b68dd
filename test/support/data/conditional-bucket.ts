/**
 * Starts s3rver, a server with the interface of S3, behind a proxy that enforces the conditions of writes as S3 does: s3rver 3.7 ignores
 * them. Of a signature (version 4), s3rver checks the id of the key alone.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

export interface ConditionalBucket {
  /** The address of the bucket `store`, through the proxy. */
  readonly url: string
  /** Without the proxy, so that conditions are ignored. */
  readonly unconditionalUrl: string
  /** Keys in the bucket are files in here. */
  readonly folder: string
  close(): Promise<void>
}

export const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1', service: 's3' }

export async function openConditionalBucket(): Promise<ConditionalBucket> {
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    vhostBuckets: false,
    configureBuckets: [{ name: 'store', configs: [] }],
  })
  const { port } = (await server.run()) as AddressInfo
  // One write at a time, so that nothing is written between the look at the version and the write.
  let last: Promise<unknown> = Promise.resolve()
  const proxy = createServer((incoming, outgoing) => {
    const answer = async () => {
      const body = await bodyOf(incoming)
      const { 'if-match': match, 'if-none-match': noneMatch, ...headers } = incoming.headers
      if (incoming.method === 'PUT' && (match ?? noneMatch) !== undefined) {
        const now = await ask(port, 'GET', incoming.url!, {})
        const refusal =
          match === undefined ? now.status !== 404 : now.status === 404 ? 404 : now.headers['etag'] !== match && 412
        if (refusal !== false) return { status: refusal === true ? 412 : refusal, headers: {}, body: Buffer.alloc(0) }
      }
      return ask(port, incoming.method!, incoming.url!, { ...headers, ...conditions(match, noneMatch) }, body)
    }
    const next = last.then(answer)
    last = next.catch(() => undefined)
    next.then(
      ({ status, headers, body }) => outgoing.writeHead(status, headers).end(body),
      (error: unknown) => outgoing.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/store`,
    unconditionalUrl: `http://127.0.0.1:${port}/store`,
    folder: join(folder, 'store'),
    async close() {
      await new Promise((resolve) => proxy.close(resolve).closeAllConnections())
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** They are signed, so they must arrive. */
function conditions(match: string | undefined, noneMatch: string | undefined): IncomingHttpHeaders {
  return {
    ...(match === undefined ? {} : { 'if-match': match }),
    ...(noneMatch === undefined ? {} : { 'if-none-match': noneMatch }),
  }
}

interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

function ask(
  port: number,
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
  body?: Buffer,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
      bodyOf(answer).then(
        (bytes) => resolve({ status: answer.statusCode!, headers: answer.headers, body: bytes }),
        reject,
      )
    })
    outgoing.on('error', reject).end(body)
  })
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
