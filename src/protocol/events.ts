/** What the engine tells without being asked, on a one-way channel: plain data, no reply. Every tab hears `changed`. */

export type EngineEvent =
  /** The engine answers: for the first time, or again after the page was put aside. What was read before may be old. */
  | { readonly type: 'ready' }
  /** Records were written or forgotten, in whichever tab. No ids: it is not known which. */
  | { readonly type: 'changed'; readonly revision: number; readonly ids: readonly string[] }
  /** Another tab holds the store now, or this one does. */
  | { readonly type: 'leader-changed'; readonly role: 'leader' | 'follower'; readonly revision: number }
  /** A tab of a newer release has the store: every call here is `VERSION_SKEW` until the page is reloaded. */
  | { readonly type: 'outdated' }
  /** So many records wait for vectors; told when the number changes, and in the tab that has the store alone. */
  | { readonly type: 'vectors'; readonly pending: number }
  | StorageEvent
  | Progress
  | { readonly type: 'closed' }

/** `auto` had to do without the best kind of storage; told to every new listener. */
export interface StorageEvent {
  readonly type: 'storage'
  readonly backend: 'indexeddb' | 'memory'
  readonly degraded: readonly string[]
}

/** A long operation goes on, in whichever tab: so much is done, of so much in all. */
export interface Progress {
  readonly type: 'progress'
  readonly operation:
    | 'put'
    | 'forget'
    | 'export'
    | 'import'
    | 'reembed'
    | 'integrityCheck'
    | 'compact'
    | 'retain'
    | 'index'
    | 'options'
  readonly done: number
  readonly total: number
}

export type EventListener = (event: EngineEvent) => void
