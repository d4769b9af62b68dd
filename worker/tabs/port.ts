/** What tabs work with: an engine that leads, the platform's locks and channels. Nothing here knows how either is made. */
import type { Policy } from '../../src/core/model/policy.ts'
import type { Status } from '../../src/core/model/result.ts'
import type { EngineApi } from '../../src/protocol/engine-api.ts'
import type { EngineOptions } from '../../src/protocol/engine-options.ts'
import type { EventListener } from '../../src/protocol/events.ts'

/** An engine as a worker serves it. */
export interface ServedEngine extends EngineApi {
  /** The page goes: replaced text is to be erased now, without waiting. Does nothing where another tab has the store. */
  erase(): void
  subscribe(listener: EventListener): () => void
}

/** An engine that has the store itself. */
export interface LeadingEngine extends ServedEngine {
  readonly backend: 'opfs' | 'indexeddb' | 'memory'
  revision(): number
  /** Options that what is stored follows from. */
  settings(): Status['settings']
}

/** Options with their policy spelled out. */
export type TabOptions = EngineOptions & { readonly policy: Policy }

export interface Leading {
  open(): Promise<LeadingEngine>
  /** Called once while this tab follows: does ahead what opening does and what needs no store. Never rejects. */
  prepare(): Promise<unknown>
}

export interface TabsPlatform {
  readonly locks: Pick<LockManager, 'request' | 'query'>
  /** Opens a channel by name; what one end posts reaches all others of that name, never itself. */
  openChannel(name: string): TabChannel
}

export type TabChannel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'close'>
