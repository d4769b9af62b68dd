/**
 * The contract between page and engine: methods with plain arguments and plain answers.
 * The engine implements it, the client calls it, a follower tab forwards it. It has no callbacks and no clock: `now` comes with
 * every request.
 */

import type { PackedPackage } from '../core/assemble/pack-context.ts'
import type { FileCheck } from '../core/evidence/freshness.ts'
import type { Prediction } from '../core/evidence/prediction-error.ts'
import type { EmbeddingChunk } from '../core/ingest/embedding-text.ts'
import type { AssembleRequest, AssessRequest, RetrievalQuality } from '../core/model/assemble.ts'
import type { Explanation } from '../core/model/explanation.ts'
import type {
  Link,
  LinkReceipt,
  LoggedEvent,
  Outcome,
  PredictionDay,
  PredictionFilter,
  PredictionReceipt,
  Proposal,
  ResolvedPrediction,
  WeakenReceipt,
} from '../core/model/learned.ts'
import type { GivenLock, OpeningLock, StoreLock } from '../core/model/lock.ts'
import type {
  AboutRequest,
  FacetRequest,
  ListFilter,
  RecallQuery,
  RelatedRequest,
  Scope,
  SuggestRequest,
} from '../core/model/query.ts'
import type {
  CompactReceipt,
  Facets,
  ForgetReceipt,
  ForgottenProof,
  ImportReceipt,
  IntegrityReport,
  ListPage,
  PutReceipt,
  RetainReceipt,
  Suggestion,
} from '../core/model/receipts.ts'
import type { RecordInput, StoredRecord, StoredVersion, VectorChunk } from '../core/model/record.ts'
import type { About, Hit, Receipt } from '../core/model/result.ts'
import type { Status } from '../core/model/status.ts'
import type { PackedResult } from './packed-result.ts'

/** Values that every request has. */
export interface RequestContext {
  /** ms since the epoch, from the caller's clock. */
  readonly now: number
  /** Operation id: unique per write in all tabs and for all time, at most 128 characters. A repeated operation is applied once. */
  readonly operation?: string | undefined
  /** Set in the engine's thread. Aborted when the caller no longer waits. A call that has not started is then not carried out. */
  readonly signal?: AbortSignal | undefined
}

/** Method → [arguments, answer]. */
export interface EngineMethods {
  put: [{ readonly batch: readonly RecordInput[]; readonly findContradictions?: boolean | undefined }, PutReceipt]
  patch: [{ readonly id: string; readonly fields: Partial<RecordInput> }, PutReceipt]
  get: [{ readonly ids: readonly string[] }, readonly (StoredRecord | undefined)[]]
  versions: [{ readonly id: string }, readonly StoredVersion[]]
  list: [{ readonly filter: ListFilter }, ListPage]
  count: [{ readonly scope: Scope }, number]
  facets: [{ readonly request: FacetRequest }, Facets]
  suggest: [{ readonly prefix: string; readonly request?: SuggestRequest | undefined }, readonly Suggestion[]]
  tags: [{ readonly scope: Scope }, readonly { readonly tag: string; readonly count: number }[]]
  forget: [ForgetRequest, ForgetReceipt & Partial<Slice>]
  verifyForgotten: [{ readonly id: string }, ForgottenProof]
  recall: [{ readonly query: RecallQuery } & WithoutVector, PackedResult]
  assemble: [{ readonly query: AssembleRequest } & WithoutVector, PackedPackage]
  assess: [{ readonly query: AssessRequest } & WithoutVector, RetrievalQuality]
  related: [{ readonly id: string; readonly request?: RelatedRequest | undefined }, readonly Hit[]]
  about: [{ readonly query: AboutRequest } & WithoutVector, About]
  why: [{ readonly query: RecallQuery; readonly id: string } & WithoutVector, Explanation]
  checkFiles: [{ readonly states: readonly FileCheck[] }, void]
  acknowledge: [
    { readonly of: Receipt | readonly string[]; readonly outcomes: Readonly<Record<string, Outcome>> },
    void,
  ]
  link: [{ readonly a: string; readonly b: string; readonly weight?: number | undefined }, LinkReceipt]
  strengthen: [{ readonly a: string; readonly b: string; readonly delta?: number | undefined }, LinkReceipt]
  weakenLinks: [{ readonly factor?: number | undefined }, WeakenReceipt]
  linked: [{ readonly id: string; readonly limit?: number | undefined }, readonly Link[]]
  predict: [{ readonly id: string; readonly expected: Prediction }, PredictionReceipt]
  resolvePrediction: [{ readonly id: string; readonly actual: Prediction }, ResolvedPrediction]
  predictionErrors: [{ readonly filter?: PredictionFilter | undefined }, readonly PredictionDay[]]
  proposals: [{ readonly scope?: Scope | undefined }, readonly Proposal[]]
  expireProposals: [{ readonly ttlMs?: number | undefined }, number]
  events: [{ readonly since?: number | undefined }, readonly LoggedEvent[]]
  exportPart: [
    { readonly export: string; readonly part: number; readonly encrypted?: boolean | undefined },
    { readonly bytes: Uint8Array<ArrayBuffer>; readonly isLast: boolean },
  ]
  endExport: [{ readonly export: string }, void]
  importPart: [
    {
      readonly import: string
      readonly at: number
      readonly bytes: Uint8Array
      /** With the first part: of an encrypted export. */
      readonly lock?: OpeningLock | undefined
    },
    void,
  ]
  finishImport: [
    {
      readonly import: string
      readonly mode: 'merge' | 'replace'
      readonly authorityTier?: string | null | undefined
      readonly redact?: boolean | undefined
      readonly learned?: 'keep' | 'drop' | undefined
      readonly withConflicts?: boolean | undefined
    },
    ImportReceipt & {
      /** With `withConflicts`: both versions of each record that two stores changed apart. */
      readonly conflicting?: readonly {
        readonly mine: RecordInput
        readonly theirs: RecordInput
        readonly kept: 'mine' | 'theirs' | 'both'
      }[]
    },
  ]
  endImport: [{ readonly import: string }, void]
  embedNext: [EmbedNextRequest, EmbedNextAnswer]
  attachVectors: [AttachRequest, number]
  compact: [{ readonly newKey?: boolean | undefined }, CompactReceipt]
  integrityCheck: [{ readonly repair?: boolean | undefined }, IntegrityReport]
  retain: [RetainRequest, RetainReceipt & Partial<Slice>]
  status: [Record<string, never>, Status]
  locks: [LocksRequest, { readonly locks: readonly StoreLock[]; readonly added?: string | undefined }]
  storedLocks: [StoredLocksRequest, { readonly record: string; readonly idleMs: number }]
  lockNow: [Record<string, never>, void]
  close: [Record<string, never>, void]
  destroy: [Record<string, never>, void]
}

/** At most one of its fields is set. The opener's own thread answers it, so that no other tab or process gets what opens a lock. */
export interface LocksRequest {
  readonly add?: GivenLock | undefined
  readonly remove?: string | undefined
  /** Rejects with WRONG_KEY unless it opens the store. */
  readonly check?: GivenLock | undefined
}

/** Adds or removes a lock as the store keeps it. The answer has the record of all locks, and the time without a call of anyone. */
export interface StoredLocksRequest {
  readonly add?: string | undefined
  readonly remove?: string | undefined
}

/** A query without a vector, because the caller's embedder failed. */
export interface WithoutVector {
  /** The reason, which the plan reports. */
  readonly withoutVector?: string | undefined
}

/** `limit`: maximum number of records of the scope to forget, in the order of ids. The answer then has `isLast`. */
export type ForgetRequest =
  | { readonly ids: readonly string[] }
  | { readonly scope: Scope; readonly limit?: number | undefined }

export interface RetainRequest {
  readonly dryRun?: boolean | undefined
  /** Maximum number of records to forget, in the order of ids. The answer then has `isLast`. A dry run reports all records. */
  readonly limit?: number | undefined
}

/** Part of the answer to a request with a limit. */
export interface Slice {
  /** False: more records are left; repeat the request. */
  readonly isLast: boolean
}

/** One step of re-embedding. Its progress event says `done` of `total`. */
export interface EmbedNextRequest {
  /** Key at which the last step ended; 0 for the first step. */
  readonly after: number
  readonly done: number
  readonly total: number
  /** True: the caller embeds, and the engine only returns the texts. */
  readonly byCaller: boolean
  /** True: only records whose vectors could not be made when they were put. Default false. */
  readonly pending?: boolean | undefined
  /** Maximum number of records of this step. Default 64. */
  readonly limit?: number | undefined
}

export interface EmbedNextAnswer {
  readonly after: number
  readonly isLast: boolean
  /** Number of records without vectors of the current space when the first step began; only the first step counts them. */
  readonly total: number
  readonly embedded: number
  /** Records that the caller must embed. */
  readonly records: readonly Unembedded[]
  readonly revision: number
}

export interface Unembedded {
  readonly id: string
  readonly contentHash: string
  readonly chunks: readonly EmbeddingChunk[]
}

/** Vectors of records. The engine drops those of a record whose content hash has changed since. */
export interface AttachRequest {
  readonly records: readonly {
    readonly id: string
    readonly contentHash: string
    readonly vectors: readonly VectorChunk[]
  }[]
  readonly done: number
  readonly total: number
}

export type Method = keyof EngineMethods
export type Arguments<V extends Method> = EngineMethods[V][0]
export type Answer<V extends Method> = EngineMethods[V][1]

/** The engine as its callers see it, in a worker or inline. */
export interface EngineApi {
  call<V extends Method>(method: V, request: Arguments<V>, context: RequestContext): Promise<Answer<V>>
}
