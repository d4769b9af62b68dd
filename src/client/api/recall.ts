/** The engine as an app sees it. Every method takes `{ signal? }` as its last argument and rejects with `RecallError`. */

import type { FileCheck } from '../../core/evidence/freshness.ts'
import type { Prediction } from '../../core/evidence/prediction-error.ts'
import type { AssembleRequest, AssessRequest, ContextPackage, RetrievalQuality } from '../../core/model/assemble.ts'
import type { Explanation } from '../../core/model/explanation.ts'
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
} from '../../core/model/learned.ts'
import type { ListFilter, RecallQuery, Scope } from '../../core/model/query.ts'
import type { ReasonRow, RecordInput, RelationRow, RiskRow, StoredRecord } from '../../core/model/record.ts'
import type {
  CompactReceipt,
  ForgetReceipt,
  ForgottenProof,
  ImportReceipt,
  IntegrityReport,
  ListPage,
  PutReceipt,
  RecallResult,
  Receipt,
  ReembedReceipt,
  RetainReceipt,
  Status,
} from '../../core/model/result.ts'
import type { PromptPart, ReflectRequest } from '../../core/present/reflect-prompt.ts'
import type { EventListener } from '../../protocol/events.ts'

export interface CallOptions {
  /**
   * Aborting rejects with `ABORTED` at once. A call that has not begun is not carried out; a short write that has is. An import, and a put or
   * a `forget` in one long transaction, is undone where it can still be: the store is as before, or the write is whole.
   */
  readonly signal?: AbortSignal | undefined
}

export interface PutOptions extends CallOptions {
  /**
   * True: all records are one transaction, which other writes wait for. Default false: up to 500 records are one transaction, more
   * are stored in slices of 500, in order.
   */
  readonly atomic?: boolean | undefined
}

/** Where an import comes from: the bytes of `exportTo`, in pieces of any size. */
export type ImportSource =
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Iterable<Uint8Array>

export interface ImportOptions extends CallOptions {
  /**
   * `merge`: of a record that is stored and imported the one of the higher updatedAt stays, then the one of the higher
   * contentHash; links are united. `replace`: what is stored goes, the import takes its place.
   */
  readonly mode: 'merge' | 'replace'
  /**
   * The highest authority tier a record may bring, by `OpenOptions.authority`: a higher one, or one that is not configured,
   * comes in lower; null: none. Profiles and banks give tiers first, as at a `put`, and are bounded too. Default: no bound, for
   * a store's own backup [X1]. Anyone can write a file: give this for one that is not yours.
   */
  readonly authorityTier?: string | null | undefined
  /**
   * Whether texts go through `redact` of `OpenOptions.extensions`, as those of a `put`. A record that it changes comes in
   * without its vectors, which `reembed` makes anew. Default: true where there is such a function; false brings them as they are.
   */
  readonly redact?: boolean | undefined
  /**
   * `drop`: records come in as if they were put for the first time: without reads, confidence, links, predictions and proposals, and
   * with the default `importance`, no `pressureRate` and no `cycles`. Anyone can write a file, and with these numbers a record surfaces
   * unasked: give this for one that is not yours. Default `keep`, for a store's own backup [X1].
   */
  readonly learned?: 'keep' | 'drop' | undefined
}

export interface IntegrityOptions extends CallOptions {
  /** Makes anew what is damaged and follows from the records. Default false: nothing is changed. */
  readonly repair?: boolean | undefined
}

export interface RetainOptions extends CallOptions {
  /** Default false. */
  readonly dryRun?: boolean | undefined
}

/** A query that stays answered. */
export interface Live {
  readonly query: string | RecallQuery
}

export interface LiveOptions extends CallOptions {
  /** Told when the query could not be answered; the next change asks again. Default: thrown as an uncaught error. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/**
 * Calls without an answer for 10 s reject with `DEADLINE_EXCEEDED`, calls after `close` with `CLOSED`, calls of an
 * engine whose worker died with `LEADER_LOST`. What an embedder does wrong rejects no call, unless
 * `embedderFailure: 'reject'` asks for it (of `put` and `patch`) or the call is `reembed`: receipts, plans and `status` say it.
 */
export interface Recall {
  /**
   * Stores one record, replacing the one of its id. Rejects when the record is refused. Times that are given hold, also over a
   * stored record; without them `createdAt` stays, and `updatedAt` becomes the time of the call, never an earlier one than is
   * stored. The same fields again are `unchanged`; the same fields with another given time are `updated`, and nothing is indexed
   * again.
   */
  put(record: RecordInput, options?: CallOptions): Promise<PutReceipt>
  /**
   * Stores many, at most 10,000: one bad record does not stop the others, the receipt answers for each in the order given. More
   * than 500 are stored in slices of 500, each durable before the next, and other calls come in between. A call that fails or is
   * aborted on the way stops after the last whole slice: `landed` of its error says how many records are stored for sure, and
   * the same call again stores the rest. When it was aborted, or its deadline passed, the slice under way may be stored as well.
   */
  put(records: readonly RecordInput[], options?: PutOptions): Promise<PutReceipt>
  /** Changes some fields of a stored record; `undefined` leaves a field alone. */
  patch(id: string, fields: Partial<RecordInput>, options?: CallOptions): Promise<PutReceipt>
  /** Replaces the reasons of a record; `[]` clears them. An unknown code is refused with the nearest known one named. */
  setReasons(id: string, rows: readonly ReasonRow[], options?: CallOptions): Promise<PutReceipt>
  /** Replaces the risk flags of a record; `[]` clears them. */
  setRisks(id: string, rows: readonly RiskRow[], options?: CallOptions): Promise<PutReceipt>
  /** Replaces the relations of a record; `[]` clears them. */
  setRelations(id: string, rows: readonly RelationRow[], options?: CallOptions): Promise<PutReceipt>
  get(id: string, options?: CallOptions): Promise<StoredRecord | undefined>
  get(ids: readonly string[], options?: CallOptions): Promise<readonly (StoredRecord | undefined)[]>
  /** A page of records, newest change first. */
  list(filter?: ListFilter, options?: CallOptions): Promise<ListPage>
  count(scope?: Scope, options?: CallOptions): Promise<number>
  tags(scope?: Scope, options?: CallOptions): Promise<readonly { readonly tag: string; readonly count: number }[]>
  /**
   * Removes records for good, by id (at most 10,000) or by scope. More than 500 go in slices of 500, each erased before the next, and other
   * calls come in between. `landed` of an error on the way says how many records are forgotten for sure.
   */
  forget(what: string | readonly string[] | Scope, options?: CallOptions): Promise<ForgetReceipt>
  /** Proves that nothing is left of a record. */
  verifyForgotten(id: string, options?: CallOptions): Promise<ForgottenProof>
  /** Decides which records belong in a context, in which order, and why. Changes nothing. */
  recall(query: string | RecallQuery, options?: CallOptions): Promise<RecallResult>
  /**
   * A context package: what the question finds, what it is linked to and what is due, within a budget of places and tokens,
   * written in a format. Changes nothing, unless `commitEffects` says so: what comes of it waits for `acknowledge`.
   */
  assemble(request: AssembleRequest, options?: CallOptions): Promise<ContextPackage>
  /** How well the store would answer, cheaply: nothing spreads over links, nothing surfaces. Changes nothing. */
  assess(request: AssessRequest, options?: CallOptions): Promise<RetrievalQuality>
  /** Why a record is in the answer to a query, or where on its way there it was lost, stage by stage. Changes nothing. */
  why(query: string | RecallQuery, id: string, options?: CallOptions): Promise<Explanation>
  /** Tells what is known of files now: recall judges by it how fresh the records are that speak of them. */
  checkFiles(states: readonly FileCheck[], options?: CallOptions): Promise<void>
  /**
   * The message parts to send to a model of the app's own: authority, memories, question. `authority` defaults to the
   * store's own configuration; null leaves it out.
   */
  reflectPrompt(request: ReflectRequest, options?: CallOptions): Promise<PromptPart[]>
  /**
   * Says what became of the records of an answer: `acted`, `used`, `dismissed`, `contradicted`, or `deferred`, which is
   * what the others get. All is learned or nothing; the same outcome of the same receipt is learned once. Reads that
   * `commitEffects` counted stay counted for `acted` and `used`, and are taken back for all others. Records used together (the
   * first 100) are linked, unless `autoLink` is off. A record of a receipt that was forgotten since is skipped.
   */
  acknowledge(
    receipt: Receipt | readonly string[],
    outcomes: Readonly<Record<string, Outcome>>,
    options?: CallOptions,
  ): Promise<void>
  /** Links two records with a weight in 0.001..1. Without one: 0.1 if they are not linked, else nothing changes. */
  link(a: string, b: string, weight?: number, options?: CallOptions): Promise<LinkReceipt>
  /** Strengthens a link by `delta` (default 0.05) up to 1, from 0 where there is none. */
  strengthen(a: string, b: string, delta?: number, options?: CallOptions): Promise<LinkReceipt>
  /** Multiplies every link by `factor` (default 0.95); those below 0.001 go. */
  weakenLinks(factor?: number, options?: CallOptions): Promise<WeakenReceipt>
  /** The records this one is linked to, the strongest first; at most `limit`. */
  linked(id: string, limit?: number, options?: CallOptions): Promise<readonly Link[]>
  /** What the record is expected to bring: a value, or values by name. Replaces the prediction that is open. */
  predict(id: string, expected: Prediction, options?: CallOptions): Promise<PredictionReceipt>
  /** Resolves the open prediction; an error above 0.7 lowers the record's confidence. */
  resolvePrediction(id: string, actual: Prediction, options?: CallOptions): Promise<ResolvedPrediction>
  /** Errors of resolved predictions by day (UTC), ascending. */
  predictionErrors(filter?: PredictionFilter, options?: CallOptions): Promise<readonly PredictionDay[]>
  /** What was surfaced unasked within the last hour and waits for its outcome; with a scope: what was made in that very one. */
  proposals(scope?: Scope, options?: CallOptions): Promise<readonly Proposal[]>
  /** Ends the waiting of proposals as old as `ttlMs` (default an hour); resolves to their number. */
  expireProposals(ttlMs?: number, options?: CallOptions): Promise<number>
  /** The log of changes after a revision, of at most 10,000 lines: ids and numbers, never text. */
  events(since?: number, options?: CallOptions): Promise<readonly LoggedEvent[]>
  /**
   * The store as one portable stream, of the one revision it had when the first bytes were asked for: records, vectors,
   * what was learned, links, predictions, proposals, files, options. Equal content is equal bytes, wherever it is kept.
   * Reports `progress`. Rejects with `LEADER_LOST` when another tab takes the store over meanwhile: export again.
   */
  exportTo(options?: CallOptions): AsyncIterable<Uint8Array<ArrayBuffer>>
  /**
   * Takes in what `exportTo` gave. Everything is checked first; then all of it lands, or nothing. For a file that is not yours:
   * `authorityTier` bounds the tiers it brings, and texts go through the app's `redact`. Reports `progress`. Rejects with
   * `INVALID_ARGUMENT` or `INVALID_RECORD` for what is damaged, `STORE_NEWER` for what a newer release wrote,
   * `INVALID_CONFIG` when `replace` would bring records under other options, or redaction is asked for and nothing redacts,
   * `DIMENSION_MISMATCH` for spaces of one name.
   */
  importFrom(source: ImportSource, options: ImportOptions, more?: CallOptions): Promise<ImportReceipt>
  /**
   * Makes the vectors that records lack in the current embedder's space, in batches between other calls. Aborted or cut
   * off, the next call goes on where it was. Reports `progress`.
   */
  reembed(options?: CallOptions): Promise<ReembedReceipt>
  /** Gives freed space back and rewrites the database, so that nothing forgotten is left in it. */
  compact(options?: CallOptions): Promise<CompactReceipt>
  /**
   * Looks at every byte that is stored or derived; `repair` makes anew what follows from the records. Damage is in the report;
   * storage that fails while it is read is none, and rejects (`STORAGE_UNAVAILABLE`, `QUOTA_EXCEEDED`) before any repair.
   * It runs in short parts: questions and writes come between them. Reports `progress`.
   */
  integrityCheck(options?: IntegrityOptions): Promise<IntegrityReport>
  /** Forgets what `OpenOptions.retention` says must go, or only tells. Nothing where no retention is configured. */
  retain(options?: RetainOptions): Promise<RetainReceipt>
  status(options?: CallOptions): Promise<Status>
  /** Hears what the engine tells without being asked, until the returned function is called. */
  subscribe(listener: EventListener): () => void
  /**
   * Answers a query now, and again each time its answer is another one: other records, other scores, or a newer version of
   * a record. Changes in every tab count; within 100 ms they are one. Ends with the returned function, the signal or `close`.
   */
  subscribe(live: Live, listener: (result: RecallResult) => void, options?: LiveOptions): () => void
  /** Pending calls reject with `CLOSED`. Resolves when lock and file handles are free, if no one else has the store open. */
  close(options?: CallOptions): Promise<void>
  /** Removes the store with every byte it holds, and closes it for everyone on this page. */
  destroy(options?: CallOptions): Promise<void>
}
