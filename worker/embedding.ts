/** The embedding worker: waits for the place of a table and for a port, then answers there. Built into one file by Vite. */
import { tableEmbedder } from '../src/embedders/table-embedder.ts'
import { serveEmbedding } from './rpc/embedder-over-port.ts'

interface Start {
  readonly table: string
  readonly port: MessagePort
  /** Whether the table may be kept in the browser. */
  readonly keep: boolean
}

self.onmessage = ({ data: { table, port, keep } }: MessageEvent<Start>) => {
  serveEmbedding(port, tableEmbedder(new URL(table), keep ? {} : { cache: null }))
}
