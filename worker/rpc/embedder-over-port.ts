/**
 * Serves an embedder over a MessagePort, and opens such a port as an embedder.
 * The vectors of one request travel in one transferred buffer.
 */
import { expose, transfer, wrap } from 'comlink'
import type { EmbeddingPort } from '../../src/protocol/engine-options.ts'
import { type Reply, unwrap } from '../../src/protocol/envelope.ts'
import { replyWith } from './dispatch.ts'
import { filterEndpoint } from './filter-endpoint.ts'

interface Embedded {
  /** All vectors, concatenated. */
  readonly vectors: Float32Array<ArrayBuffer>
  /** `EmbeddingPort.bytes` at the other end. */
  readonly bytes: number
}

interface EmbeddingHost {
  embed(texts: readonly string[], role: 'query' | 'document', only?: 'english'): Promise<Reply<Embedded>>
  setLanguages(languages: readonly string[]): void
}

/** Opens the embedder that `serveEmbedding` serves at the other end of the port. */
export function openEmbeddingPort(port: MessagePort): EmbeddingPort {
  const host = wrap<EmbeddingHost>(port)
  let tableBytes = 0
  return {
    bytes: () => tableBytes,
    // A failed worker rejects the next text, too.
    setLanguages: (languages) => void host.setLanguages(languages).catch(() => undefined),
    async embed(texts, role, { only } = {}) {
      if (texts.length === 0) return []
      const { vectors: packed, bytes } = unwrap(await host.embed(texts, role, only))
      tableBytes = bytes
      const dimensions = packed.length / texts.length
      return texts.map((_, i) => packed.slice(i * dimensions, (i + 1) * dimensions))
    },
  }
}

/** Serves an embedder at a port. All its vectors must have the same number of dimensions. */
export function serveEmbedding(port: MessagePort, embedder: EmbeddingPort): void {
  const host: EmbeddingHost = {
    async embed(texts, role, only) {
      const reply = await replyWith(async () => {
        const vectors = pack(await embedder.embed(texts, role, { only }))
        return { vectors, bytes: embedder.bytes?.() ?? 0 }
      })
      return reply.ok ? transfer(reply, [reply.value.vectors.buffer]) : reply
    },
    setLanguages: (languages) => embedder.setLanguages?.(languages),
  }
  expose(host, filterEndpoint(port, ['embed', 'setLanguages']))
}

function pack(vectors: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const dimensions = vectors[0]?.length ?? 0
  const packed = new Float32Array(vectors.length * dimensions)
  for (const [i, vector] of vectors.entries()) packed.set(vector, i * dimensions)
  return packed
}
