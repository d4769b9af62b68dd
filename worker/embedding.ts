/** The embedding worker: waits for the place of a table and for a port, then answers there. Built into one file by Vite. */
import { tableEmbedder } from '../src/embedders/table-embedder.ts'
import { serveEmbedding } from './embedding-port.ts'

self.onmessage = ({ data }: MessageEvent<{ readonly table: string; readonly port: MessagePort }>) => {
  serveEmbedding(data.port, tableEmbedder(new URL(data.table)))
}
