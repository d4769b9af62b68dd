/** The engine's own catch-up: records whose vectors could not be made get them, in batches between other calls. */
import { type CatchUp, createCatchUp } from '../../../src/protocol/catch-up.ts'
import type { GuardedEmbedder } from '../../../src/protocol/guarded-embedder.ts'
import type { Timers } from '../../../src/protocol/timers.ts'
import type { Ports } from '../common/ports.ts'
import { attachMade, nextPending } from './reembed.ts'

/** Begins nothing by itself. Ends with the signal. */
export function startCatchUp(ports: Ports, embedder: GuardedEmbedder, signal: AbortSignal, timers: Timers): CatchUp {
  return createCatchUp({
    embedder,
    signal,
    timers,
    next: async (after, limit) => nextPending(ports, after, limit),
    async attach(made, before) {
      const done = before + (await attachMade(ports, made))
      const total = done + ports.store.pendingVectors()
      ports.emit({ type: 'progress', operation: 'reembed', done, total })
    },
  })
}
