/**
 * The one contract between page and engine: methods with plain arguments and plain answers.
 * The engine implements it, the client calls it, a follower tab forwards it. It holds no callback and no clock:
 * `now` comes with every request.
 */

import type { PackedPackage } from '../core/assemble/pack-context.ts'
import type { FileCheck } from '../core/evidence/freshness.ts'
import type { Prediction } from '../core/evidence/prediction-error.ts'
import type { EmbeddingPiece } from '../core/ingest/embedding-text.ts'
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
import type { ListFilter, RecallQuery, Scope } from '../core/model/query.ts'
import type { RecordInput, StoredRecord, VectorChunk } from '../core/model/record.ts'
import type {
  CompactReceipt,
  ForgetReceipt,
  ForgottenProof,
  ImportReceipt,
  IntegrityReport,
  ListPage,
  PutReceipt,
  Receipt,
  RetainReceipt,
  Status,
} from '../core/model/result.ts'
import type { PackedResult } from './packed-result.ts'

/** What every request carries. */
export interface RequestContext {
  /** ms since the epoch, from the caller's clock. */
  readonly now: number
  /** Unique per write, in all tabs and for ever, at most 128 characters; a retried operation is applied once. */
  readonly operation?: string | undefined
  /** Set where the engine runs: aborted, nobody waits for the answer any more. A call that has not begun is not carried out. */
  readonly signal?: AbortSignal | undefined
}

/** Method → [arguments, answer]. */
export interface EngineMethods {
  put: [{ readonly batch: readonly RecordInput[] }, PutReceipt]
  patch: [{ readonly id: string; readonly fields: Partial<RecordInput> }, PutReceipt]
  get: [{ readonly ids: readonly string[] }, readonly (StoredRecord | undefined)[]]
  list: [{ readonly filter: ListFilter }, ListPage]
  count: [{ readonly scope: Scope }, number]
  tags: [{ readonly scope: Scope }, readonly { readonly tag: string; readonly count: number }[]]
  forget: [ForgetRequest, ForgetReceipt & Partial<Slice>]
  verifyForgotten: [{ readonly id: string }, ForgottenProof]
  recall: [{ readonly query: RecallQuery } & WithoutVector, PackedResult]
  assemble: [{ readonly query: AssembleRequest } & WithoutVector, PackedPackage]
  assess: [{ readonly query: AssessRequest } & WithoutVector, RetrievalQuality]
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
    { readonly export: string; readonly part: number },
    { readonly bytes: Uint8Array<ArrayBuffer>; readonly isLast: boolean },
  ]
  endExport: [{ readonly export: string }, void]
  importPart: [{ readonly import: string; readonly at: number; readonly bytes: Uint8Array }, void]
  finishImport: [
    {
      readonly import: string
      readonly mode: 'merge' | 'replace'
      readonly authorityTier?: string | null | undefined
      readonly redact?: boolean | undefined
      readonly learned?: 'keep' | 'drop' | undefined
    },
    ImportReceipt,
  ]
  endImport: [{ readonly import: string }, void]
  embedNext: [EmbedNextRequest, EmbedNextAnswer]
  attachVectors: [AttachRequest, number]
  compact: [Record<string, never>, CompactReceipt]
  integrityCheck: [{ readonly repair?: boolean | undefined }, IntegrityReport]
  retain: [RetainRequest, RetainReceipt & Partial<Slice>]
  status: [Record<string, never>, Status]
  close: [Record<string, never>, void]
  destroy: [Record<string, never>, void]
}

/** A question that the caller's own embedder could not embed. */
export interface WithoutVector {
  /** Why; the plan says so. */
  readonly withoutVector?: string | undefined
}

/** `limit`: most records of the scope to forget, by id; the answer then says whether that was all. */
export type ForgetRequest =
  | { readonly ids: readonly string[] }
  | { readonly scope: Scope; readonly limit?: number | undefined }

export interface RetainRequest {
  readonly dryRun?: boolean | undefined
  /** Most records to forget, by id; the answer then says whether that was all. A dry run tells of all. */
  readonly limit?: number | undefined
}

/** Of an answer to a request with a limit. */
export interface Slice {
  /** False: ask again for what is left. */
  readonly isLast: boolean
}

/** A step of re-embedding; `done` of `total` is what its progress says. */
export interface EmbedNextRequest {
  /** Where the last step ended; 0 to begin. */
  readonly after: number
  readonly done: number
  readonly total: number
  /** The caller embeds: the engine only says what. */
  readonly byCaller: boolean
  /** Those records alone whose vectors could not be made when they were put. Default false. */
  readonly pending?: boolean | undefined
  /** Most records of this step. Default 64. */
  readonly limit?: number | undefined
}

export interface EmbedNextAnswer {
  readonly after: number
  readonly isLast: boolean
  /** Records without vectors of the current space when this began; told by the first step. */
  readonly total: number
  readonly embedded: number
  /** What the caller is to embed. */
  readonly records: readonly Unembedded[]
  readonly revision: number
}

export interface Unembedded {
  readonly id: string
  readonly contentHash: string
  readonly pieces: readonly EmbeddingPiece[]
}

/** Vectors of records as they were: where the content is another one now, they are not taken. */
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

export const methods = [
  'put',
  'patch',
  'get',
  'list',
  'count',
  'tags',
  'forget',
  'verifyForgotten',
  'recall',
  'assemble',
  'assess',
  'why',
  'checkFiles',
  'acknowledge',
  'link',
  'strengthen',
  'weakenLinks',
  'linked',
  'predict',
  'resolvePrediction',
  'predictionErrors',
  'proposals',
  'expireProposals',
  'events',
  'exportPart',
  'endExport',
  'importPart',
  'finishImport',
  'endImport',
  'embedNext',
  'attachVectors',
  'compact',
  'integrityCheck',
  'retain',
  'status',
  'close',
  'destroy',
] as const satisfies readonly Method[]

/**
 * What may be done with a request whose answer was lost with the tab that had it: asked again, asked again when it
 * carries an operation id (the method then remembers it in its own transaction), or neither.
 */
export const afterLoss: Readonly<Record<Method, 'again' | 'operation' | 'never'>> = {
  put: 'operation',
  patch: 'operation',
  get: 'again',
  list: 'again',
  count: 'again',
  tags: 'again',
  forget: 'operation',
  verifyForgotten: 'again',
  checkFiles: 'operation',
  recall: 'again',
  // With its effects it writes.
  assemble: 'operation',
  assess: 'again',
  why: 'again',
  acknowledge: 'operation',
  link: 'operation',
  strengthen: 'operation',
  weakenLinks: 'operation',
  linked: 'again',
  predict: 'operation',
  resolvePrediction: 'operation',
  predictionErrors: 'again',
  proposals: 'again',
  expireProposals: 'operation',
  events: 'again',
  exportPart: 'again',
  endExport: 'again',
  importPart: 'again',
  finishImport: 'operation',
  endImport: 'again',
  // They only add what is missing, or take away what must go: done twice is done once.
  embedNext: 'again',
  attachVectors: 'again',
  compact: 'again',
  integrityCheck: 'again',
  retain: 'operation',
  status: 'again',
  close: 'never',
  destroy: 'again',
}

/** ms a method may take: some look at the whole store at once. */
export function deadlineOf(method: Method, deadlineMs: number): number {
  return /^(finish|compact|integ|retain)/.test(method) ? deadlineMs * longFactor : deadlineMs
}

const longFactor = 60

/** The engine as its callers see it, wherever it runs. */
export interface EngineApi {
  call<V extends Method>(method: V, request: Arguments<V>, context: RequestContext): Promise<Answer<V>>
}
