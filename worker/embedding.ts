/** The embedding worker: receives the URLs of tables and a port, then embeds texts for that port. Vite builds it into one file. */
import { tableEmbedder } from '../src/embedders/table-embedder.ts'
import { serveEmbedding } from './rpc/embedder-over-port.ts'

interface Start {
  readonly table: string
  /** URL of the table of other languages. */
  readonly languages: string
  readonly port: MessagePort
  /** Whether tables may be cached in the browser. */
  readonly keep: boolean
}

self.onmessage = ({ data: { table, languages, port, keep } }: MessageEvent<Start>) => {
  const others = { table: new URL(languages) }
  serveEmbedding(port, tableEmbedder(new URL(table), { languages: others, cache: keep ? undefined : null }))
}
