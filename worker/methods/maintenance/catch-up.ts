/** Embeds pending records in the background, in batches between other calls. */
import { type CatchUp, createCatchUp } from '../../../src/protocol/catch-up.ts'
import type { GuardedEmbedder } from '../../../src/protocol/guarded-embedder.ts'
import type { Timers } from '../../../src/protocol/timers.ts'
import type { Ports } from '../common/ports.ts'
import { attachMade, nextPending } from './reembed.ts'

/** Does not start by itself: call `begin`. Ends when the signal aborts. */
export function startCatchUp(ports: Ports, embedder: GuardedEmbedder, signal: AbortSignal, timers: Timers): CatchUp {
  return createCatchUp({
    embedder,
    signal,
    timers,
    next: async (after, limit) => nextPending(ports, after, limit),
    async attach(embedded, before) {
      const done = before + (await attachMade(ports, embedded))
      const total = done + ports.store.pendingVectors()
      ports.emit({ type: 'progress', operation: 'reembed', done, total })
    },
  })
}
