/** Blobs in memory, for tests of an app. */
import type { StoredBlob, Transport } from './transport.ts'

export interface MemoryTransport extends Transport {
  readonly blobs: Map<string, StoredBlob>
}

export function memoryTransport(): MemoryTransport {
  const blobs = new Map<string, StoredBlob>()
  let writes = 0
  return {
    blobs,
    list: () => new Map([...blobs].map(([name, { etag }]) => [name, etag])),
    get: async (name) => blobs.get(name) ?? null,
    async put(name, bytes, ifMatch) {
      if (blobs.get(name)?.etag !== ifMatch) return null
      const etag = `"${++writes}"`
      blobs.set(name, { bytes: bytes.slice(), etag })
      return etag
    },
  }
}
