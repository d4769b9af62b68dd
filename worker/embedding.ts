/** The embedding worker: receives the URL of a table and a port, then embeds texts for that port. Vite builds it into one file. */
import { tableEmbedder } from '../src/embedders/table-embedder.ts'
import { serveEmbedding } from './rpc/embedder-over-port.ts'

interface Start {
  readonly table: string
  readonly port: MessagePort
  /** Whether the table may be cached in the browser. */
  readonly keep: boolean
}

self.onmessage = ({ data: { table, port, keep } }: MessageEvent<Start>) => {
  serveEmbedding(port, tableEmbedder(new URL(table), keep ? {} : { cache: null }))
}
