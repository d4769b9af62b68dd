/** The interfaces that methods work with. The engine creates them from its adapters. */

import type { ResolvedAuthority } from '../../../src/core/model/authority.ts'
import type { Policy } from '../../../src/core/model/policy.ts'
import type { CatchUp } from '../../../src/protocol/catch-up.ts'
import type { EngineEvent } from '../../../src/protocol/events.ts'
import type { GuardedEmbedder } from '../../../src/protocol/guarded-embedder.ts'
import type { RetrievalPorts } from '../../retrieval/question/ports.ts'
import type { Erasure } from '../../scheduling/erasure.ts'
import type { Turns } from '../../scheduling/turns.ts'
import type { WriteQueue } from '../../scheduling/write-queue.ts'
import type { OpenStorage } from '../../storage/common/port.ts'
import type { Acceleration } from '../../vector/hnsw/accelerate.ts'
import type { LoadedExtensions } from './extensions.ts'

export interface Past {
  /** Runs `work` over the store of a time (ms), which is made for it. Null: no write came after it, so the store is that of now. */
  ask<T>(at: number, work: (then: Ports) => Promise<T>): Promise<T> | null
  /** Releases what was forgotten. */
  forgotten(): void
  close(): void
}

export interface Ports extends RetrievalPorts {
  /** The policy of queries that name none. */
  readonly policy: Policy
  readonly authority: ResolvedAuthority | null
  readonly storage: OpenStorage
  /** The HNSW graph; null if the store is searched without one. */
  readonly acceleration: Acceleration | null
  /** Null if the app gives the vectors, or the store has no vectors. */
  readonly embedding: GuardedEmbedder | null
  /** Bytes of the built-in embedder's loaded table. */
  readonly tableBytes: () => number
  /** Embeds pending records in the background; null if the engine has no embedder. */
  readonly catchUp: CatchUp | null
  readonly extensions: LoadedExtensions
  /** Yields between two pieces of synchronous work. */
  readonly turns: Turns
  readonly writeQueue: WriteQueue
  readonly erasure: Erasure
  /** The store as it was at other times; null if it keeps no history, or is itself of another time. */
  readonly past: Past | null
  /** The operation id of the running write, if it has one. */
  readonly operation?: string | undefined
  /** Marks all derived state as stale. It is rebuilt before its next use. */
  invalidateDerived(): void
  emit(event: EngineEvent): void
}
