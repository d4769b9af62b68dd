/** The embedder that comes with the package: English, offline, about 10 µs a text after its 4 MB table is loaded. */
import type { BuiltInEmbedder } from '../protocol/embedder.ts'
import { tableEmbedder } from './table-embedder.ts'

export interface StaticEmbedderOptions {
  /** Where minilm-static-128.bin lies. Default: in the package. For bundlers and CDNs that need a hand. */
  readonly table?: URL | undefined
}

/** Loads nothing before the first text. As an option of `openRecall` it runs off the page's thread. */
export function staticEmbedder({ table }: StaticEmbedderOptions = {}): BuiltInEmbedder {
  return tableEmbedder(table ?? new URL('./minilm-static-128.bin', import.meta.url))
}
