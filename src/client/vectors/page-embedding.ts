/** Connects a client with the app's own embedder. Loaded with the first call that needs it. */
import type { RecallQuery } from '../../core/model/query.ts'
import type { PutReceipt } from '../../core/model/receipts.ts'
import type { RecordInput, StoredRecord } from '../../core/model/record.ts'
import type { Status } from '../../core/model/status.ts'
import type { Embedder } from '../../protocol/embedder.ts'
import { failureLines } from '../../protocol/guarded-embedder.ts'
import type { Timers } from '../../protocol/timers.ts'
import type { Calls } from '../calls/run-calls.ts'
import type { EmbeddedSlice } from '../calls/send-records.ts'
import type { EngineLink } from '../link/engine-link.ts'
import {
  type EmbeddedQuery,
  embedPatch,
  embedQuery,
  embedRecords,
  openPageEmbedder,
  type PageEmbedder,
  withReasons,
} from './embed-records.ts'
import { openPageCatchUp, type PageCatchUp } from './page-catch-up.ts'

export interface PageEmbedding {
  readonly embedder: PageEmbedder
  readonly catchUp: PageCatchUp
  records(batch: readonly RecordInput[], signal: AbortSignal): Promise<EmbeddedSlice>
  /** Returns the fields to send, and a function that adds the reasons for missing vectors to the receipt. */
  patch(
    fields: Partial<RecordInput>,
    read: () => Promise<StoredRecord | undefined>,
    signal: AbortSignal,
  ): Promise<{ readonly made: Partial<RecordInput>; readonly reasons: (receipt: PutReceipt) => PutReceipt }>
  query(query: RecallQuery, signal: () => AbortSignal): Promise<EmbeddedQuery>
  /** Returns the engine's status with the failures of the embedder, which only the page knows. */
  status(status: Status): Status
}

export interface PageEmbeddingSettings {
  readonly link: EngineLink
  readonly calls: Calls
  /** Aborted when the client ends. */
  readonly signal: AbortSignal
  readonly rejects: boolean
  readonly timers?: Timers | undefined
}

export function openPageEmbedding(
  own: Embedder,
  { link, calls, signal, rejects, timers }: PageEmbeddingSettings,
): PageEmbedding {
  const embedder = openPageEmbedder(own, rejects, timers)
  const catchUp = openPageCatchUp(link, calls, embedder, signal, timers)
  return {
    embedder,
    catchUp,
    async records(batch, ownSignal) {
      const { records: made, whys } = await embedRecords(batch, embedder, ownSignal)
      return { made, reasons: (receipt) => withReasons(receipt, whys) }
    },
    async patch(fields, read, ownSignal) {
      const { fields: made, whys } = await embedPatch(fields, read, embedder, ownSignal)
      return { made, reasons: (receipt) => withReasons(receipt, whys) }
    },
    query: (query, ownSignal) => embedQuery(query, embedder, ownSignal),
    status(status) {
      const problem = status.vectors.pending > 0 ? catchUp.problem() : null
      const embedding = status.embedding && { ...status.embedding, perSecond: catchUp.perSecond() }
      return { ...status, embedding, degraded: [...status.degraded, ...failureLines(embedder, problem)] }
    },
  }
}
