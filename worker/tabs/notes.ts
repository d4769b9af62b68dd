/** What `status().degraded` says of how a tab has its store. */
import type { Status } from '../../src/core/model/result.ts'
import type { ServedEngine } from './port.ts'

/** The engine, and in `status().degraded` what else there is to know. */
export function withNotes(engine: ServedEngine, notes: readonly string[]): ServedEngine {
  if (notes.length === 0) return engine
  return {
    subscribe: engine.subscribe,
    erase: engine.erase,
    async call(method, request, context) {
      const answer = await engine.call(method, request, context)
      if (method !== 'status') return answer
      const status = answer as Status
      return { ...status, degraded: [...status.degraded, ...notes] } as typeof answer
    },
  }
}

export const ownStore = 'This tab has a store of its own: what is kept in memory is not shared between tabs.'

export function noLocks(reason: string): string {
  return `One tab at a time can have the store, another one gets STORE_BUSY: tabs need Web Locks and BroadcastChannel (${reason}).`
}
