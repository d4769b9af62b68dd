/**
 * Loads the chunk with HNSW. In Node it is a module beside this one; in the worker's bundle `vite.config.ts` makes of the
 * import an URL that a consumer's bundler finds, since workers may be built in a format that cannot be split.
 */
import type { AcceleratorChunk } from './accelerator-port.ts'

export function loadHnsw(): Promise<AcceleratorChunk> {
  return import('./accelerator.ts')
}
