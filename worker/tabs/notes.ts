/** The lines of `status().degraded` about how a tab has its store. */
import type { Status } from '../../src/core/model/status.ts'
import type { ServedEngine } from './port.ts'

/** Wraps an engine so that its `status().degraded` also has these notes. */
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

export const ownStore = 'This tab has its own store: stores in memory are not shared between tabs.'

export function noLocks(reason: string): string {
  return `Only one tab at a time can open the store; others get STORE_BUSY. Sharing needs Web Locks and BroadcastChannel (${reason}).`
}
