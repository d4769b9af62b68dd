/**
 * Opens a store by the public interface alone, in this process and in memory, for vectors of eight dimensions in
 * records and queries.
 */

import type { FileState } from '../../../src/core/evidence/freshness.ts'
import { precomputed } from '../../../src/embedders/precomputed.ts'
import { openRecall, type Recall } from '../../../src/index.ts'
import { dimensions } from '../oracles/random-store.ts'

export interface PolicyStore extends Recall {
  checkFiles(states: readonly FileState[]): Promise<void>
}

/** `now` (ms) is the clock of every call. */
export async function openForPolicies(name: string, now: number): Promise<PolicyStore> {
  const recall = await openRecall({
    name,
    runtime: 'inline',
    storage: 'memory',
    embedder: precomputed(dimensions, 'test'),
    now: () => now,
  })
  return recall as PolicyStore
}
