/** The interfaces that tabs work with: the leader's engine, and the platform's locks and channels. */
import type { Policy } from '../../src/core/model/policy.ts'
import type { Status } from '../../src/core/model/status.ts'
import type { EngineApi } from '../../src/protocol/engine-api.ts'
import type { EngineOptions } from '../../src/protocol/engine-options.ts'
import type { EventListener } from '../../src/protocol/events.ts'

/** An engine as a worker serves it. */
export interface ServedEngine extends EngineApi {
  /** Erases replaced text now and synchronously, because the page is being left. Does nothing in a follower. */
  erase(): void
  subscribe(listener: EventListener): () => void
}

/** An engine that has the store open. */
export interface LeadingEngine extends ServedEngine {
  readonly backend: Status['backend']
  revision(): number
  /** Options that determine what is stored. */
  settings(): Status['settings']
}

/** Options with a resolved policy. */
export type TabOptions = EngineOptions & { readonly policy: Policy }

export interface Leading {
  open(): Promise<LeadingEngine>
  /** Called at most once while this tab follows: does the parts of opening that need no store in advance. Never rejects. */
  prepare(): Promise<unknown>
}

export interface TabsPlatform {
  readonly locks: Pick<LockManager, 'request' | 'query'>
  /** Opens a channel by name. A message reaches all other ends of that name, but not its own end. */
  openChannel(name: string): TabChannel
  /** Calls the listener when the leader ended without a message. Absent if only the locks show that. */
  onLeaderLost?(listener: () => void): void
  /** Names the holder of the store, for errors; null: unknown. */
  holder?(): string | null
}

export type TabChannel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'close'>
