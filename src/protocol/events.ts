/** What the engine tells without being asked, on a one-way channel: plain data, no reply. */

export type EngineEvent =
  | { readonly type: 'changed'; readonly revision: number; readonly ids: readonly string[] }
  | {
      /** `auto` had to do without the best kind of storage; told to every new listener. */
      readonly type: 'storage'
      readonly backend: 'indexeddb' | 'memory'
      readonly degraded: readonly string[]
    }
  | { readonly type: 'closed' }

export type EventListener = (event: EngineEvent) => void
