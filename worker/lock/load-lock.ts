/**
 * Loads the file with the ciphers. In Node it is a neighbouring module. In bundles, `worker-plugins.ts` replaces the import by a URL, as for
 * `load-hnsw.ts`.
 */
import type { LockChunk } from './port.ts'

export function loadLock(): Promise<LockChunk> {
  return import('./locks.ts')
}
