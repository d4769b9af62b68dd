/** Types of an open store, as `openRecall` returns it. */

import type { FileCheck } from '../../core/evidence/freshness.ts'
import type { Prediction } from '../../core/evidence/prediction-error.ts'
import type { ExtractedTurn, Fact } from '../../core/ingest/facts-to-records.ts'
import type { Message, MessagesOptions } from '../../core/ingest/messages-to-records.ts'
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
import type {
  AboutRequest,
  FacetRequest,
  ListFilter,
  RecallQuery,
  RelatedRequest,
  Scope,
  SuggestRequest,
} from '../../core/model/query.ts'
import type {
  CompactReceipt,
  Facets,
  ForgetReceipt,
  ForgottenProof,
  ImportReceipt,
  IntegrityReport,
  ListPage,
  PutReceipt,
  ReembedReceipt,
  RememberReceipt,
  RetainReceipt,
  Suggestion,
} from '../../core/model/receipts.ts'
import type {
  ReasonRow,
  RecordInput,
  RelationRow,
  RiskRow,
  StoredRecord,
  StoredVersion,
} from '../../core/model/record.ts'
import type { About, Hit, RecallResult, Receipt } from '../../core/model/result.ts'
import type { Status } from '../../core/model/status.ts'
import type { PromptPart, ReflectRequest } from '../../core/present/reflect-prompt.ts'
import type { EventListener } from '../../protocol/events.ts'
import type { CallOptions } from './call-options.ts'
import type { ExportOptions, ImportOptions, ImportSource } from './import-options.ts'
import type { RecallLocks } from './locks.ts'

export type { CallOptions } from './call-options.ts'
export type { ConflictResolver, ExportOptions, ImportOptions, ImportSource } from './import-options.ts'

export interface PutOptions extends CallOptions {
  /** True: all records are stored in one transaction, and other writes wait until it ends. Default false: slices of 500, in order. */
  readonly atomic?: boolean | undefined
  /**
   * True: compares each record with a new text with up to 12 stored ones of its project, agent and bank. If one seems to say otherwise,
   * `contradicts` of the receipt names it, `proposals` lists the pair, and recalls warn of it. Nothing is changed: settle it with `patch(old,
   * { status: 'superseded', supersededBy })`, or with the outcome `dismissed` if both are right. Default false: a put of a short statement
   * takes several times as long.
   */
  readonly findContradictions?: boolean | undefined
}

/** Which records `about` reads. */
export interface AboutOptions extends CallOptions, Omit<AboutRequest, 'text' | 'vector'> {}

/** Reads facts in turns, for example with a language model. `known`: facts of the store about the same matter. */
export type Extract = (
  turns: readonly ExtractedTurn[],
  context: { readonly known: readonly { readonly id: string; readonly text: string }[]; readonly signal: AbortSignal },
) => Promise<readonly Fact[]>

/** `position` is `time` by default, and `now` the clock of the store. */
export interface RememberOptions extends PutOptions, MessagesOptions {
  /**
   * Reads facts in the turns once these are stored. Each fact becomes a record of kind `fact`, `derived_from` its turns: its authority tier is at most the
   * lowest of theirs, and it is forgotten when all of them are. `facts` of the receipt says what was left out and why; an extractor that fails or is late
   * costs no turn. Pass only new messages, because all turns of the call are read. Default: no facts.
   */
  readonly extract?: Extract | undefined
  /** Most time for the extractor (ms). Default 60,000. */
  readonly extractMs?: number | undefined
}

export interface CompactOptions extends CallOptions {
  /**
   * True: encrypts a locked store again with a new data key, so that removed locks and earlier copies open nothing of it any more. Its locks
   * stay the same. After an abort or a kill it opens as before, and the next `compact` completes it. Rejects with `INVALID_CONFIG` if the
   * store is not locked.
   */
  readonly newKey?: boolean | undefined
}

export interface IntegrityOptions extends CallOptions {
  /** True: rebuilds damaged data that can be derived from the records. Default false. */
  readonly repair?: boolean | undefined
}

export interface RetainOptions extends CallOptions {
  /** True: only reports which records would be forgotten. Default false. */
  readonly dryRun?: boolean | undefined
}

/** A live query: its listener gets a new answer whenever the answer changes. */
export interface Live {
  readonly query: string | RecallQuery
}

export interface LiveOptions extends CallOptions {
  /** Called when the query fails; the next change of the store runs it again. Default: an uncaught error. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/**
 * An open store. Every method takes `CallOptions` as its last argument, and rejects with a `RecallError`. Codes that any method may have:
 * `INVALID_ARGUMENT`; `DEADLINE_EXCEEDED` after 10 s without an answer or progress (600 s for `importFrom`, `compact`, `integrityCheck` and
 * `retain`); `CLOSED` after `close`; `LEADER_LOST` if the worker ended or another tab took the store over; `ABORTED`. A failing embedder
 * rejects only `reembed` and, with `embedderFailure: 'reject'`, `put` and `patch`; elsewhere receipts, plans and `status` report it.
 */
export interface Recall extends RecallLocks {
  /**
   * Stores one record and replaces the record with the same id. Without `createdAt` and `updatedAt` (ms since the epoch), a stored record
   * keeps its `createdAt`, and `updatedAt` becomes the later of the stored one and the time of the call. The receipt says `unchanged` if all
   * fields are equal, and `updated` if only the times differ; neither indexes the record again. Rejects with `INVALID_RECORD`.
   */
  put(record: RecordInput, options?: PutOptions): Promise<PutReceipt>
  /**
   * Stores at most 10,000 records. The receipt has one outcome per record, in order; an invalid record does not stop the others. More than 500
   * are stored in durable slices of 500, between which other calls may run. If the call fails or is aborted, `committed` of the error is the
   * number of stored records; repeat the call to store the rest. After `DEADLINE_EXCEEDED` or `LEADER_LOST`, the slice that was being stored
   * may be stored, too.
   */
  put(records: readonly RecordInput[], options?: PutOptions): Promise<PutReceipt>
  /**
   * Stores the turns of a chat as records of one session, as `messagesToRecords` of `scrubjay/core` makes them. Positions rise with time, so a
   * later call continues the session. A message that is given again (the same `id`, or else the same role, `createdAt` and text) updates its
   * record. Messages without `createdAt` get the time of the call.
   */
  remember(messages: readonly Message[], options: RememberOptions): Promise<RememberReceipt>
  /** Replaces the given fields of a stored record; `undefined` keeps a field. */
  patch(id: string, fields: Partial<RecordInput>, options?: CallOptions): Promise<PutReceipt>
  /** Replaces the reasons of a record. Rejects with `UNKNOWN_REASON_CODE`, whose hint names the most similar code. */
  setReasons(id: string, rows: readonly ReasonRow[], options?: CallOptions): Promise<PutReceipt>
  /** Replaces the risk flags of a record. Rejects with `UNKNOWN_RISK_FLAG`. */
  setRisks(id: string, rows: readonly RiskRow[], options?: CallOptions): Promise<PutReceipt>
  /** Replaces the relations of a record. */
  setRelations(id: string, rows: readonly RelationRow[], options?: CallOptions): Promise<PutReceipt>
  /** Returns the stored record, or undefined if there is none. */
  get(id: string, options?: CallOptions): Promise<StoredRecord | undefined>
  /** Returns one element per id, in the same order; undefined for an id without a record. */
  get(ids: readonly string[], options?: CallOptions): Promise<readonly (StoredRecord | undefined)[]>
  /**
   * Returns the versions of a record, the present one first; none if the id is not stored. Rejects with `INVALID_CONFIG` unless the store was
   * opened with `history: true`.
   */
  versions(id: string, options?: CallOptions): Promise<readonly StoredVersion[]>
  /** Returns a page of records. Default order: the last changed first. */
  list(filter?: ListFilter, options?: CallOptions): Promise<ListPage>
  /** Returns the number of records in the scope, by default of all. */
  count(scope?: Scope, options?: CallOptions): Promise<number>
  /** Returns the tags of the records in the scope, by default of all, with the number of records for each. */
  tags(scope?: Scope, options?: CallOptions): Promise<readonly { readonly tag: string; readonly count: number }[]>
  /**
   * Counts the values (kind, project, tags, metadata, …) of the records in a scope that hold all words of a text. Exact. A record without a
   * value for a key counts in `matched` only.
   */
  facets(request: FacetRequest, options?: CallOptions): Promise<Facets>
  /**
   * Completes the text of a search box with words and titles that begin with it, most records first. Of several words the last one is
   * completed, among the records that contain the others. If nothing begins with the text, one typo is forgiven, from four letters on.
   */
  suggest(prefix: string, request?: SuggestRequest, options?: CallOptions): Promise<readonly Suggestion[]>
  /**
   * Deletes records by id (at most 10,000) or all records of a scope, and erases their text from the files. More than 500 are erased in slices
   * of 500, between which other calls may run. `committed` of an error is the number of records that are forgotten for certain.
   */
  forget(what: string | readonly string[] | Scope, options?: CallOptions): Promise<ForgetReceipt>
  /** Counts what tables, indexes and memory still hold of a record; `clean` is true if that is nothing. */
  verifyForgotten(id: string, options?: CallOptions): Promise<ForgottenProof>
  /**
   * Returns the records that fit a query, best first, with reasons and a receipt. With `ledger: true` also the records that were not selected,
   * and why. Changes nothing.
   */
  recall(query: string | RecallQuery, options?: CallOptions): Promise<RecallResult>
  /**
   * Returns a context package: the records that the query finds, records linked to them and records that are due, within a budget of records
   * and tokens, with a formatted text. Changes nothing unless `commitEffects` is true; `acknowledge` applies the effects later.
   */
  assemble(request: AssembleRequest, options?: CallOptions): Promise<ContextPackage>
  /** Estimates how well the store can answer a query, without following links and without due records. Changes nothing. */
  assess(request: AssessRequest, options?: CallOptions): Promise<RetrievalQuality>
  /** Returns the records most like a stored one, best first, by its telling words and its vector. Rejects with `INVALID_ARGUMENT` without that record. */
  related(id: string, request?: RelatedRequest, options?: CallOptions): Promise<readonly Hit[]>
  /**
   * Returns what the store knows of a subject (a name, words or a question): the statements that hold now, the latest first, then earlier ones
   * with what replaced them, each with its day. `me` is the person who asks: their turns and short notes in the first person. Reads all
   * records with every word of the subject, else those that a recall finds by its words.
   */
  about(subject: string, options?: AboutOptions): Promise<About>
  /** Explains, stage by stage, why a record is in the answer to a query or what excluded it. Changes nothing. */
  why(query: string | RecallQuery, id: string, options?: CallOptions): Promise<Explanation>
  /** Stores the current state of files, by which recall judges the freshness of the records that refer to them. */
  checkFiles(states: readonly FileCheck[], options?: CallOptions): Promise<void>
  /** Returns message parts for a language model: authority (default: `OpenOptions.authority`; null leaves it out), memories, question. */
  reflectPrompt(request: ReflectRequest, options?: CallOptions): Promise<PromptPart[]>
  /**
   * Learns the outcomes of the records of an answer, by record id: `acted`, `used`, `dismissed`, `contradicted` or `deferred` (default). All
   * outcomes are learned or none, and the same outcome of the same receipt once. Reads that `commitEffects` counted are kept for `acted` and
   * `used` and subtracted otherwise. Records that were used together (the first 100) are linked, unless `autoLink` is false. Forgotten records
   * are skipped.
   */
  acknowledge(
    receipt: Receipt | readonly string[],
    outcomes: Readonly<Record<string, Outcome>>,
    options?: CallOptions,
  ): Promise<void>
  /** Links two records with a weight from 0.001 to 1. Default: 0.1 for a new link; an existing link keeps its weight. */
  link(a: string, b: string, weight?: number, options?: CallOptions): Promise<LinkReceipt>
  /** Adds `delta` (default 0.05) to the weight of a link, up to 1. A link that does not exist starts at 0. */
  strengthen(a: string, b: string, delta?: number, options?: CallOptions): Promise<LinkReceipt>
  /** Multiplies the weight of every link by `factor` (default 0.95) and deletes links below 0.001. */
  weakenLinks(factor?: number, options?: CallOptions): Promise<WeakenReceipt>
  /** Returns the links of a record, the strongest first; at most `limit`. */
  linked(id: string, limit?: number, options?: CallOptions): Promise<readonly Link[]>
  /** Stores the prediction of a record: one expected value, or values by name. Replaces its open prediction. */
  predict(id: string, expected: Prediction, options?: CallOptions): Promise<PredictionReceipt>
  /** Compares the open prediction of a record with the actual values. An error above 0.7 lowers the record's confidence. */
  resolvePrediction(id: string, actual: Prediction, options?: CallOptions): Promise<ResolvedPrediction>
  /** Returns the errors of resolved predictions per day (UTC), the earliest day first. */
  predictionErrors(filter?: PredictionFilter, options?: CallOptions): Promise<readonly PredictionDay[]>
  /** Returns the proposals of the last hour that wait for an outcome. With a scope: only those made in exactly this scope. */
  proposals(scope?: Scope, options?: CallOptions): Promise<readonly Proposal[]>
  /** Expires proposals of this age and older (ms; default 3,600,000) and returns their number. */
  expireProposals(ttlMs?: number, options?: CallOptions): Promise<number>
  /** Returns the log of changes after the revision `since`, at most 10,000 entries: ids and numbers, never text. */
  events(since?: number, options?: CallOptions): Promise<readonly LoggedEvent[]>
  /**
   * Exports the store as a stream of bytes: records, vectors, learned state, links, predictions, proposals, files and options, all of the
   * revision at the first read. Equal content gives equal bytes everywhere. The export of a locked store is encrypted. Sends `progress`
   * events. Rejects with `LEADER_LOST` if another tab takes the store over before the end; then export again.
   */
  exportTo(options?: ExportOptions): AsyncIterable<Uint8Array<ArrayBuffer>>
  /**
   * Imports the bytes of `exportTo`: checks all of them first, then stores all or nothing. For a file that someone else may have written, set
   * `authorityTier` and `learned`. Sends `progress` events. Rejects with `INVALID_ARGUMENT` or `INVALID_RECORD` (damaged; `STORE_CORRUPT` if
   * encrypted), `STORE_NEWER`, `LOCKED` or `WRONG_KEY`, `INVALID_CONFIG` (`replace` with other store options, or `redact: true` without a
   * redact function), `DIMENSION_MISMATCH` (an embedding space of the same name has another length).
   */
  importFrom(source: ImportSource, options: ImportOptions, more?: CallOptions): Promise<ImportReceipt>
  /**
   * Makes the missing vectors of records for the current embedder, in batches between other calls. After an abort or an error the next call
   * continues. Sends `progress` events.
   */
  reembed(options?: CallOptions): Promise<ReembedReceipt>
  /** Rewrites the database: frees space and removes the last remains of forgotten records. */
  compact(options?: CompactOptions): Promise<CompactReceipt>
  /**
   * Checks all stored and derived data and reports damage, in short parts between other calls. Sends `progress` events. Rejects with
   * `STORAGE_UNAVAILABLE` or `QUOTA_EXCEEDED` if the storage cannot be read; then nothing is repaired.
   */
  integrityCheck(options?: IntegrityOptions): Promise<IntegrityReport>
  /** Forgets the records that have reached a limit of `OpenOptions.retention`, or only reports them (`dryRun`). */
  retain(options?: RetainOptions): Promise<RetainReceipt>
  /** Returns the state of the store: storage, role, number of records, settings, vectors, and what is degraded. */
  status(options?: CallOptions): Promise<Status>
  /** Calls the listener with each event of the engine. The returned function ends this. */
  subscribe(listener: EventListener): () => void
  /**
   * Answers a query now and again whenever the answer changes. Changes of all tabs count, and changes within 100 ms give one answer. The
   * returned function, the signal and `close` end it.
   */
  subscribe(live: Live, listener: (result: RecallResult) => void, options?: LiveOptions): () => void
  /** Closes the store. Pending calls reject with `CLOSED`. Resolves when its lock and files are free, or at once if others on the page use it. */
  close(options?: CallOptions): Promise<void>
  /** Deletes the store with all its data and closes it in every tab. */
  destroy(options?: CallOptions): Promise<void>
}
