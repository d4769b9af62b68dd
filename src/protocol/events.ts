/** Events of the engine: plain data that the engine sends on a one-way channel. Every tab gets `changed`. */

export type EngineEvent =
  /** The engine is ready: for the first time, or again after the browser froze the page. Earlier answers may be out of date. */
  | { readonly type: 'ready' }
  /** Records were written or forgotten in any tab. If `ids` is empty, any record may have changed. */
  | { readonly type: 'changed'; readonly revision: number; readonly ids: readonly string[] }
  /** The leader changed: the tab that owns the store's files. `role` is the role of this tab. */
  | { readonly type: 'leader-changed'; readonly role: 'leader' | 'follower'; readonly revision: number }
  /** A tab with a newer release has the store. Every call in this tab rejects with `VERSION_SKEW` until the page is reloaded. */
  | { readonly type: 'outdated' }
  /** The number of records that wait for vectors changed. Sent only in the leader's tab. */
  | { readonly type: 'vectors'; readonly pending: number }
  | StorageEvent
  | Progress
  /** `isLocked`: by `lockNow`, or because no one used it for long. */
  | { readonly type: 'closed'; readonly isLocked?: true | undefined }

/** `storage: 'auto'` could not use the most durable kind. Sent to every new listener. */
export interface StorageEvent {
  readonly type: 'storage'
  readonly backend: 'indexeddb' | 'memory'
  readonly degraded: readonly string[]
}

/** Progress of a long operation in any tab: `done` of `total`. */
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
