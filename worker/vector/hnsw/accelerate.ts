/**
 * Whether a store is searched with a graph, and what stands in its place until the chunk that has it is loaded: the exact
 * index, which answers everything.
 */

import type { VectorIndex } from '../port.ts'
import type { Accelerator, AcceleratorHost } from './accelerator-port.ts'
import { loadHnsw } from './load-hnsw.ts'

export interface Acceleration {
  index(): VectorIndex
  state(): 'building' | 'ready' | 'failed'
  /** What went wrong with it, in words [P2]. */
  problems(): readonly string[]
  rebuild(): void
  /** Before the store is closed; `saving`: keeps the graph for the next time. */
  stop(how: 'saving' | 'discarding'): void
}

/**
 * `auto` uses a graph above this many vectors. On 36,732 real MiniLM vectors the exact scan was twice as fast at equal
 * recall; a scan of 500,000 takes 5 to 8 ms, and a graph's 1 to 2 ms hardly grow: they cross near 300,000. Decided when
 * the store opens.
 */
export const exactUpTo = 300_000

export function wantsGraph(option: 'auto' | 'exact' | 'hnsw', vectors: number): boolean {
  return option === 'hnsw' || (option === 'auto' && vectors > exactUpTo)
}

export function accelerate(host: AcceleratorHost, load = loadHnsw): Acceleration {
  let accelerator: Accelerator | null = null
  let loadFailure: string | null = null
  let isStopped = false
  // A worker made from a blob has nothing beside it, and says so at once: for opening that is no reason to fail.
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
