/** What the engine tells without being asked, on a one-way channel: plain data, no reply. */

export type EngineEvent =
  | { readonly type: 'ready'; readonly revision: number }
  | { readonly type: 'changed'; readonly revision: number; readonly ids: readonly string[] }
  | { readonly type: 'storage'; readonly backend: string; readonly degraded: readonly string[] }
  | { readonly type: 'progress'; readonly operation: string; readonly done: number; readonly total: number }
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'closed' }

export type EventListener = (event: EngineEvent) => void
