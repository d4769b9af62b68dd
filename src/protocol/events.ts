/** What the engine tells without being asked, on a one-way channel: plain data, no reply. */

export type EngineEvent =
  | { readonly type: 'changed'; readonly revision: number; readonly ids: readonly string[] }
  | { readonly type: 'closed' }

export type EventListener = (event: EngineEvent) => void
