/** A real HTTP server with OpenAI's embeddings API, and scripted faults. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface EmbeddingsRequest {
  readonly at: number
  readonly headers: IncomingMessage['headers']
  readonly body: { readonly model: string; readonly input: readonly string[] } & Readonly<Record<string, unknown>>
}

export type Misbehaviour = (response: ServerResponse, request: EmbeddingsRequest) => void

export interface EmbeddingsServer {
  readonly url: string
  readonly requests: EmbeddingsRequest[]
  /** Answers the next requests with these, in turn; afterwards the server behaves normally. */
  next(...misbehaviours: readonly Misbehaviour[]): void
  close(): Promise<void>
}

/** The vector of a text: length and first character, then zeros. */
export function vectorOf(text: string, dimensions: number): number[] {
  return Array.from({ length: dimensions }, (_, i) => [text.length, text.charCodeAt(0) || 0][i] ?? 0)
}

export async function openEmbeddingsServer(dimensions: number): Promise<EmbeddingsServer> {
  const requests: EmbeddingsRequest[] = []
  const script: Misbehaviour[] = []
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as EmbeddingsRequest['body']
    const request = { at: performance.now(), headers: message.headers, body }
    requests.push(request)
    const misbehave = script.shift()
    if (misbehave) return misbehave(response, request)
    const data = body.input.map((text, index) => ({ index, embedding: vectorOf(text, dimensions) }))
    // Not in order: a client must order by the index.
    reply(response, 200, { data: data.toReversed() })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`,
    requests,
    next: (...misbehaviours) => script.push(...misbehaviours),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
