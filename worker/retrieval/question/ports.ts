/** The ports of gathering: the store, the vector index, and buffers that recalls share. */
import type { LexicalScorer } from '../../../src/core/lexical/bm25.ts'
import type { EngineOptions } from '../../../src/protocol/engine-options.ts'
import type { Store } from '../../store/port/store.ts'
import type { VectorIndex } from '../../vector/port.ts'
import type { KeyRows } from './key-rows.ts'

export interface RetrievalPorts {
  readonly options: EngineOptions
  readonly store: Store
  /** Null when the store has no embedding space. */
  readonly index: VectorIndex | null
  readonly scorer: LexicalScorer
  /** Scores a second reading of the same text. A scorer reuses its buffers, so the two results need two scorers. */
  readonly completeScorer: LexicalScorer
  readonly rows: KeyRows
}
