/** What operations work with: ports only. The engine builds them; nothing here knows an adapter. */

import type { LexicalScorer } from '../../../src/core/lexical/bm25.ts'
import type { ResolvedAuthority } from '../../../src/core/model/authority.ts'
import type { Policy } from '../../../src/core/model/policy.ts'
import type { CatchUp } from '../../../src/protocol/catch-up.ts'
import type { EngineOptions } from '../../../src/protocol/engine-options.ts'
import type { EngineEvent } from '../../../src/protocol/events.ts'
import type { GuardedEmbedder } from '../../../src/protocol/guarded-embedder.ts'
import type { KeyRows } from '../../retrieval/key-rows.ts'
import type { Erasure } from '../../scheduling/erasure.ts'
import type { Turns } from '../../scheduling/turns.ts'
import type { Serial } from '../../scheduling/write-queue.ts'
import type { OpenStorage } from '../../storage/common/port.ts'
import type { Store } from '../../store/port/store.ts'
import type { Acceleration } from '../../vector/hnsw/accelerate.ts'
import type { VectorIndex } from '../../vector/port.ts'
import type { LoadedExtensions } from './extensions.ts'

export interface Ports {
  readonly options: EngineOptions
  /** What decides when a query names no policy. */
  readonly policy: Policy
  readonly authority: ResolvedAuthority | null
  readonly store: Store
  readonly storage: OpenStorage
  /** Null when the store has no embedding space. */
  readonly index: VectorIndex | null
  /** What the index is helped by, where the store is searched with a graph. */
  readonly acceleration: Acceleration | null
  readonly scorer: LexicalScorer
  /** For a second reading of the same text, whose answer must not overwrite the first one's. */
  readonly completeScorer: LexicalScorer
  readonly rows: KeyRows
  /** Null when the client attaches vectors, or there are none. */
  readonly embedding: GuardedEmbedder | null
  /** Makes the vectors that wait; null where the engine makes none. */
  readonly catchUp: CatchUp | null
  readonly extensions: LoadedExtensions
  /** Between two pieces of synchronous work. */
  readonly turns: Turns
  readonly serial: Serial
  readonly erasure: Erasure
  /** Of the write that is being carried out, where it has one and is remembered by it. */
  readonly operation?: string | undefined
  /** What is derived from the rows is not theirs any more: all of it is made anew before it is asked for next. */
  deriveAnew(): void
  emit(event: EngineEvent): void
}
