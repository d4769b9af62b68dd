/** The events of a tab. Its listeners get the same events whether it leads or follows. */
import type { EngineEvent, EventListener, StorageEvent } from '../../src/protocol/events.ts'

export interface TabEvents {
  /** The listener gets later events, and at once those that still hold. Returns the function that ends it. */
  subscribe(listener: EventListener): () => void
  emit(event: EngineEvent): void
  /** Sets the revision of a new leader. Emits `changed` if it is new here: the last leader may have ended before it reported it. */
  setRevision(revision: number): void
}

export function createTabEvents(): TabEvents {
  const listeners = new Set<EventListener>()
  let seenRevision: number | undefined
  let fallback: StorageEvent | null = null
  let waiting: EngineEvent | null = null

  const send = (event: EngineEvent) => {
    for (const listener of listeners) listener(event)
  }
  const emit = (event: EngineEvent) => {
    if (event.type === 'changed') seenRevision = Math.max(seenRevision ?? 0, event.revision)
    if (event.type === 'vectors') waiting = event
    if (event.type === 'storage') {
      // The same fallback of the next leader is not reported again.
      const isKnown = fallback?.backend === event.backend
      fallback = event
      if (isKnown) return
    }
    send(event)
  }
  return {
    subscribe(listener) {
      listeners.add(listener)
      if (fallback) listener(fallback)
      if (waiting) listener(waiting)
      return () => listeners.delete(listener)
    },
    emit,
    setRevision(revision) {
      if (seenRevision !== undefined && revision > seenRevision) send({ type: 'changed', revision, ids: [] })
      seenRevision = revision
    },
  }
}
