/**
 * Decides whether a store is searched with a graph, and loads the chunk with HNSW. Until it is loaded, the exact index
 * answers.
 */

import type { VectorIndex } from '../port.ts'
import type { Accelerator, AcceleratorHost } from './accelerator-port.ts'
import { loadHnsw } from './load-hnsw.ts'

export interface Acceleration {
  index(): VectorIndex
  state(): 'building' | 'ready' | 'failed'
  /** Why the graph failed, for `status().degraded` [P2]. Empty when it works. */
  problems(): readonly string[]
  rebuild(): void
  /** Called before the store closes. `saving`: saves the graph for the next open. */
  stop(how: 'saving' | 'discarding'): void
}

/**
 * `auto` uses a graph above this many vectors; the choice is made when the store opens. On 36,732 MiniLM vectors the
 * exact scan was twice as fast at equal recall. A scan of 500,000 takes 5 to 8 ms; a graph takes 1 to 2 ms at nearly any
 * size. The two cross near 300,000.
 */
export const exactUpTo = 300_000

export function wantsGraph(option: 'auto' | 'exact' | 'hnsw', vectors: number): boolean {
  return option === 'hnsw' || (option === 'auto' && vectors > exactUpTo)
}

export function accelerate(host: AcceleratorHost, load = loadHnsw): Acceleration {
  let accelerator: Accelerator | null = null
  let loadFailure: string | null = null
  let isStopped = false
  // In a worker created from a blob the import throws synchronously. Opening the store must not fail for that.
  Promise.resolve()
    .then(load)
    .then(
      ({ openAccelerator }) => {
        if (!isStopped) accelerator = openAccelerator(host)
      },
      (error: unknown) => {
        loadFailure = error instanceof Error ? error.message : String(error)
      },
    )
  return {
    index: () => accelerator?.index ?? host.exact,
    state: () => (loadFailure === null ? (accelerator?.state() ?? 'building') : 'failed'),
    problems() {
      const failure = loadFailure ?? accelerator?.failure() ?? null
      return failure === null ? [] : [`vectors are searched without the HNSW index: ${failure}`]
    },
    rebuild: () => accelerator?.rebuild(),
    stop(how) {
      isStopped = true
      accelerator?.stop(how)
    },
  }
}
