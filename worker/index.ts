/** The engine's worker: serves one engine to the page that started it. Vite builds it into one file. */

import { tableEmbedder } from '../src/embedders/table-embedder.ts'
import type { EmbeddingSource } from '../src/protocol/engine-host.ts'
import type { EmbeddingPort } from '../src/protocol/engine-options.ts'
import { openEngine } from './engine/open-engine.ts'
import { openEmbeddingPort } from './rpc/embedder-over-port.ts'
import { serve } from './rpc/serve.ts'
import { watchEmbedder } from './rpc/watch-embedder.ts'

const watched = watchEmbedder(self)

serve(self, ({ options, embedding, events }) =>
  openEngine(options, openEmbedding(embedding), (event) => events.postMessage(event)),
)

function openEmbedding(source: EmbeddingSource): EmbeddingPort | null {
  if (source.kind === 'port') return watched(openEmbeddingPort(source.port))
  if (source.kind !== 'table' || source.url === undefined) return null
  const { url, languages, keep } = source
  return tableEmbedder(new URL(url), {
    languages: languages === undefined ? undefined : { table: new URL(languages) },
    cache: keep === false ? null : undefined,
  })
}
