/**
 * Loads the HNSW chunk. In Node it is a neighbouring module. In the worker's bundle, `worker-plugins.ts` replaces the import
 * by a URL that a consumer's bundler finds, because workers may be built in a format without code splitting.
 */
import type { AcceleratorChunk } from './accelerator-port.ts'

export function loadHnsw(): Promise<AcceleratorChunk> {
  return import('./accelerator.ts')
}
