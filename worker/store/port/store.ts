/**
 * The store port: synchronous reads and writes of records. Records have an integer key inside and an id outside.
 * Reads see one consistent state. `commit`, `forget`, `applyImport` and `learn` are one transaction each and raise the revision.
 * Writes that may take long run in steps; between two steps, reads see the state before the write. The caller must run all steps,
 * or throw into the generator, which rolls the transaction back.
 * Callers sort away everything that answers must not depend on: rowids, insertion order.
 */

import type { KeySet } from '../../../src/core/collections/key-set.ts'
import type { FileCheck } from '../../../src/core/evidence/freshness.ts'
import type { ExistingRecord, Write } from '../../../src/core/ingest/plan-write.ts'
import type { RetentionRow } from '../../../src/core/learning/retention.ts'
import type { NumberFact } from '../../../src/core/model/fact-needs.ts'
import type { DueFacts, GateFacts, ReasonFact } from '../../../src/core/model/facts.ts'
import type { ListFilter, ListOrder, Scope, StandingKind } from '../../../src/core/model/query.ts'
import type { ForgottenProof } from '../../../src/core/model/receipts.ts'
import type { StoredRecord } from '../../../src/core/model/record.ts'
import type { Freshness } from '../../../src/core/model/result.ts'
import type { ResolvedRetention } from '../../../src/core/model/retention.ts'
import type { EventTime } from '../../../src/core/time/event-time.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { PassageShares } from '../../../src/core/model/passage-shares.ts'
import type { PassagePostings, PassageStatistics, PassageTable } from '../../../src/core/lexical/passage-scores.ts'
import type { PostingList } from '../../sqlite/fts5/postings.ts'
import type { StoreSettings } from '../migrations/migration.ts'
import type { ExcludedKeys, GateRule, SessionPlaces, TimeColumn, TimeOrder } from './columns.ts'
import type { Committed, DoneOperation } from './committed.ts'
import type { Forms } from './forms.ts'
import type { StoreHistory } from './history.ts'
import type { Learning, LearningChanges } from './learning.ts'
import type { ExportSession, ImportConflict, ImportCounts, ImportRequest } from './transfer.ts'
import type { EmbeddingSpace, LackingCounts, LackingKind, NewVectors, UnembeddedRow } from './vectors.ts'
import type { Titles, Vocabulary } from './vocabulary.ts'

/** The keys of the records in a scope. */
export type { KeySet }

/** A scope, the time (ms) at which its records must have been valid, and the conditions that only `list` has. */
export type ScopeAt = Scope & Pick<ListFilter, 'reason' | 'risk'> & { readonly asOf?: number | undefined }

/** The records that contain a phrase, and in which of their passages the long ones contain it; null if no long one does. */
export interface RecordPostings extends Omit<PostingList, 'places'> {
  readonly passages: PassagePostings | null
}

export interface LexicalStatistics {
  readonly records: number
  /** Sum of the token counts of those records: an exact integer. */
  readonly tokens: number
}

/** Counted like FTS5's own bm25(): every record, all columns. */
export interface WholeStatistics extends LexicalStatistics {
  /** By key. */
  readonly lengths: Uint32Array
}

/**
 * Parallel arrays with one entry per matching record, by ascending key. Strength of each source (docs/spec/ranking.md#staged-fusion):
 * for a text 8 for the whole query plus 2 for each term; for a path `tuning.pathStrength`; 0 for no match.
 */
export interface SubstringHits {
  readonly keys: Uint32Array
  readonly instruction: Float64Array
  readonly body: Float64Array
  readonly command: Float64Array
  readonly paths: Float64Array
}

export interface PageRequest {
  readonly by: ListOrder['by']
  readonly direction: 'asc' | 'desc'
  /** Where the page before ended: the value of its last record, null if that has none, and its id. Null: from the beginning. */
  readonly after: { readonly value: number | string | null; readonly id: string } | null
  /** Only these records; null means all. */
  readonly among: KeySet | null
  readonly limit: number
  /** Number of all records. */
  readonly records: number
}

export type CheckedPart = 'sqlite' | 'fts' | 'vectors' | 'derived'

export interface Store {
  readonly settings: StoreSettings
  /** Null: it keeps no earlier versions. */
  readonly history: StoreHistory | null
  revision(): number
  /** Runs reads in one transaction, which is faster; the answers are the same. */
  reading<T>(work: () => T): T
  /** Largest key in use. Arrays indexed by key have one more element. */
  lastKey(): number

  existing(ids: readonly string[]): ReadonlyMap<string, ExistingRecord>
  /** `get` and `hydrate` return the effective authority tier, which depends on the tiers of a record's sources. */
  get(ids: readonly string[]): (StoredRecord | undefined)[]
  hydrate(keys: readonly number[]): StoredRecord[]
  /** The same record and vectors, kept until the next commit. The caller must leave them unchanged. */
  readonly cached: {
    hydrate(key: number): StoredRecord | undefined
    vectorsOf(key: number): readonly Float32Array[]
  }
  /** The record's own tier, without regard to its sources; null if it has none. */
  ownTier(id: string): string | null
  /** The keys of the next records in an order. */
  page(request: PageRequest): number[]
  count(scope: ScopeAt): number
  tags(scope: ScopeAt): { readonly tag: string; readonly count: number }[]
  ids(scope: ScopeAt): string[]

  /** The keys of all records. */
  everyKey(): KeySet
  /** Null if the scope contains every record. */
  scopeKeys(scope: ScopeAt): KeySet | null
  /** Keys of all records in the order of their ids. */
  keysById(): Uint32Array
  idOf(key: number): string
  keyOf(id: string): number | undefined
  /** Posting lists of complete FTS5 phrases, without deleted records. */
  postings(phrases: readonly string[]): readonly RecordPostings[]
  /** The words of all texts as they are written. */
  readonly vocabulary: Vocabulary
  readonly titles: Titles
  readonly forms: Forms
  /** Where each vector of a record is from, in UTF-16 units of its texts; null if it does not say. */
  vectorSpans(key: number): readonly (readonly [from: number, to: number] | null)[]
  /** Token counts by key; 0 for unused keys. */
  lengths(): Uint32Array
  statistics(scopeKeys: KeySet | null): LexicalStatistics
  wholeStatistics(): WholeStatistics
  /** The passages of long records; null if there are none. */
  passages(): PassageTable | null
  passageStatistics(scopeKeys: KeySet | null, by: PassageShares): PassageStatistics
  keysByTerm(folded: readonly string[]): ReadonlyMap<number, number>
  keysByFile(paths: readonly string[]): ReadonlyMap<number, number>
  /**
   * Records that contain the query, or one of its terms (`ctxsiftTerms`), anywhere in instruction, body, command or a path.
   * Restricted to `scopeKeys`; null means all. The first call reads all texts.
   */
  substrings(query: string, terms: readonly string[], scopeKeys: KeySet | null): SubstringHits
  /** Every key with this content hash; empty if only one record has it. */
  keysByContent(contentHash: string): readonly number[]
  /** The newest of all records, by (updatedAt, id), both descending. */
  recent(limit: number): number[]
  /** Facts by key for the records that status, validity, codes or risks may exclude. */
  gated(): ReadonlyMap<number, GateFacts>
  /** The records of `gated` that a rule excludes. */
  excluded(rule: GateRule): ExcludedKeys
  /** Reason rows by key, only for records that have any. */
  reasons(): ReadonlyMap<number, readonly ReasonFact[]>
  /** Records with cycles or a pressure rate, by key: those that can become due. */
  due(): ReadonlyMap<number, DueFacts>
  /** The times that records speak of, by key; only for records for which that is not `createdAt`. */
  eventTimes(): ReadonlyMap<number, readonly EventTime[]>
  /** The standing requests that records state, by key. */
  standing(): ReadonlyMap<number, StandingKind>
  /** A numeric column of all records, by key. */
  numbers(name: NumberFact): Float64Array
  /** The values of these records, in their order. */
  numbersOf(name: NumberFact, keys: Uint32Array): Float64Array
  /** The same column; null while every record has the default value. */
  unusual(name: NumberFact): Float64Array | null
  /** Positions of records in their sessions, by key; null if no record has one. Valid until the next commit. */
  sessions(): SessionPlaces | null
  /** All records by that time, then id, both descending. Valid until the next commit. */
  newestFirst(name: TimeColumn): TimeOrder
  /** Freshness by key, for records that reference a file with a known state. */
  freshness(pick: 'worst' | 'first-stale'): ReadonlyMap<number, Freshness>
  /** How many of these records have each value of a key of `facets`; null means all records. */
  countValues(key: string, among: Uint32Array | null): ReadonlyMap<string | number | boolean, number>
  /** Keys of the records that have a path containing one of `parts` (folded, `/` for `\`). */
  keysOfFiles(parts: readonly string[]): ReadonlySet<number>
  /** Visits the stored float32 vectors of the chunks of a record in the current space. */
  vectorsOf(key: number, visit: (vector: Float32Array) => void): void
  /** Visits all codes of the current space in slot order. A code is not copied, so it is valid only during the visit. */
  eachCode(visit: (key: number, code: Uint8Array) => void, of?: 'own' | 'standIn'): void

  /** The saved bytes of the vector graph, unchecked; null if none were saved. */
  readGraph(): Uint8Array | null
  /** Replaces the saved graph; the revision does not change. */
  writeGraph(graph: Uint8Array): void

  /** The space of new vectors and of vector search; null until one is chosen. */
  space(): EmbeddingSpace | null
  /** `standIn`: records whose vectors of the space are not made yet are found by those of this one. */
  chooseSpace(space: EmbeddingSpace, standIn?: EmbeddingSpace): void
  vectorCounts(): { readonly current: number; readonly otherSpaces: number }

  /** Saves `done` in the same transaction. Without a change there is neither a transaction nor a saved operation. */
  commit(writes: readonly Write[], done?: readonly DoneOperation[]): Steps<Committed>
  /** Stores the known states of files; returns the revision. */
  commitFileStates(states: readonly FileCheck[], now: number, done?: readonly DoneOperation[]): number
  /** `at`: time of the log lines (ms). */
  forget(ids: readonly string[], at: number, done?: readonly DoneOperation[]): Steps<Committed>
  /** Reads the learned state: keys, states and links as of now. */
  readonly learning: Learning
  /** Changes the learned state in one transaction. The revision rises if the log got a line. */
  learn<T>(
    at: number,
    work: (changes: LearningChanges) => T,
    operation?: string,
  ): { readonly answer: T; readonly committed: Committed }
  /** Records without vectors of the current space, by key, starting after `after`; empty if no space is chosen. */
  unembedded(after: number, limit: number, which?: LackingKind): readonly UnembeddedRow[]
  countUnembedded(): number
  /** Counts of records without vectors of the current space, by the reason. */
  lacking(): LackingCounts
  /** `lacking().pending`, without a read if no record was ever pending. */
  pendingVectors(): number
  /** Stores vectors of the current space for those of these records that still lack them. */
  attachVectors(given: readonly NewVectors[], as?: 'own' | 'standIn'): Steps<Committed>
  /** Stand-in vectors stay for these records: they no longer wait for others. */
  keepStandIn(records: readonly Pick<NewVectors, 'id' | 'contentHash'>[]): Steps<Committed>
  /** Size of the database in bytes, free pages included. */
  fileBytes(): number
  /** Leaves no free pages when it ends. Each step is its own transaction. */
  compactSteps(): Generator<CompactProgress, void>
  /** The columns that retention needs, of every record. */
  retentionRows(config: ResolvedRetention): readonly RetentionRow[]
  /**
   * Describes the problems of one part of the store; empty if there are none. Other writes may come between two steps. No
   * transaction may be open during a step.
   */
  check(part: CheckedPart): Steps<readonly string[]>
  /** Rebuilds a part from the rows it derives from, in one transaction, and then all derived data in memory. */
  repair(part: Exclude<CheckedPart, 'sqlite'>): Steps<void>
  /** Begins an export of the current revision. */
  openExport(): ExportSession
  /** Applies an import completely or not at all; one that replaces also deletes all other records. */
  applyImport(
    request: ImportRequest,
    done?: (counts: ImportCounts) => readonly DoneOperation[],
  ): Steps<{
    readonly counts: ImportCounts
    readonly conflicts: readonly ImportConflict[]
    readonly committed: Committed
  }>
  /** The saved reply of an operation; null if it changed nothing, never ran, or ran too long ago. */
  done(operation: string): { readonly revision: number; readonly answer: string } | null
  /** Counts the traces of an id in rows and memory. Rows without a record count, too. */
  proof(id: string): Omit<ForgottenProof, 'clean'>
  cacheBytes(): number
  databaseBytes(): number
  /** How posting lists are read: a name for `status()`. */
  postingsMode(): string
  /** The greatest time (ms) of a stamp that the store took or saw. */
  clock(): number
  /** One sentence for each degradation. */
  degraded(): readonly string[]
}

export interface CompactProgress {
  readonly done: number
  readonly total: number
}
