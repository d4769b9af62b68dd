/**
 * The store port: synchronous reads and writes of records, by integer key inside and by id outside.
 * Reads answer from one consistent state; `commit`, `forget`, `land` and `learn` are one transaction each and bring the revision up.
 * Those that may take long go in steps: between two of them, reads answer from the state before. Whoever runs the steps runs them to
 * their end, or throws into them: then the transaction is undone.
 * Everything an answer must not depend on (rowids, insertion order) is ordered away by the callers.
 */

import type { KeySet } from '../../../src/core/collections/key-set.ts'
import type { FileCheck } from '../../../src/core/evidence/freshness.ts'
import type { ExistingRecord, Write } from '../../../src/core/ingest/plan-write.ts'
import type { RetentionRow } from '../../../src/core/learning/retention.ts'
import type { NumberFact } from '../../../src/core/model/fact-needs.ts'
import type { DueFacts, GateFacts, ReasonFact } from '../../../src/core/model/facts.ts'
import type { ListFilter, Scope } from '../../../src/core/model/query.ts'
import type { StoredRecord } from '../../../src/core/model/record.ts'
import type { ForgottenProof, Freshness } from '../../../src/core/model/result.ts'
import type { ResolvedRetention } from '../../../src/core/model/retention.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { PostingList } from '../../sqlite/fts5/postings.ts'
import type { CompactProgress } from '../compact-database.ts'
import type { LackingCounts } from '../derived/lacking-vectors.ts'
import type { TimeColumn } from '../derived/record-columns.ts'
import type { SessionPlaces } from '../derived/session-places.ts'
import type { TimeOrder } from '../derived/time-order.ts'
import type { ExportSession } from '../export/export.ts'
import type { Landed, Landing } from '../export/land-import.ts'
import type { StoreSettings } from '../migrations/migration.ts'
import type { NewVectors, UnembeddedRow } from '../rows/embed-rows.ts'
import type { EmbeddingSpace } from '../rows/vector-rows.ts'
import type { Committed, DoneOperation } from './committed.ts'
import type { Learning, LearningChanges } from './learning.ts'

/** The members of a scope. */
export type Members = KeySet

/** A scope, and the moment as of which its records must have been valid. */
export type ScopeAt = Scope & { readonly asOf?: number | undefined }

export interface LexicalStatistics {
  readonly records: number
  /** Sum of the token counts over those records: an exact integer. */
  readonly tokens: number
}

/** As FTS5's own bm25() counts: every record, all columns. */
export interface WholeStatistics extends LexicalStatistics {
  /** By key. */
  readonly lengths: Uint32Array
}

/**
 * Parallel: one place per record that holds anything, by ascending key, with the strength of each source (docs/spec.md#staged-fusion):
 * a text 8 for the whole query and 2 a term, a path as `tuning.pathStrength`; 0 for no match.
 */
export interface SubstringHits {
  readonly keys: Uint32Array
  readonly instruction: Float64Array
  readonly body: Float64Array
  readonly command: Float64Array
  readonly paths: Float64Array
}

export type CheckedPart = 'sqlite' | 'fts' | 'vectors' | 'derived'

export interface Store {
  readonly settings: StoreSettings
  revision(): number
  /** Runs reads as one transaction: the same answers, sooner. */
  reading<T>(work: () => T): T
  /** Largest key in use: the size of arrays indexed by key is one more. */
  lastKey(): number

  existing(ids: readonly string[]): ReadonlyMap<string, ExistingRecord>
  /** Records read here, by `hydrate` and by `list` have the authority tier they have now, sources included. */
  get(ids: readonly string[]): (StoredRecord | undefined)[]
  hydrate(keys: readonly number[]): StoredRecord[]
  /** The tier of a record itself, whatever its sources have; null for none. */
  ownTier(id: string): string | null
  list(
    filter: ListFilter,
    after: { readonly updatedAt: number; readonly id: string } | null,
    limit: number,
  ): StoredRecord[]
  count(scope: ScopeAt): number
  tags(scope: ScopeAt): { readonly tag: string; readonly count: number }[]
  ids(scope: ScopeAt): string[]

  /** All records, as the members of a scope. */
  everyKey(): Members
  /** Null: the scope holds every record. */
  members(scope: ScopeAt): Members | null
  /** Keys of all records, by id. */
  keysById(): Uint32Array
  idOf(key: number): string
  keyOf(id: string): number | undefined
  /** Posting lists of complete FTS5 phrases, alive records only. */
  postings(phrases: readonly string[]): readonly PostingList[]
  /** Token counts by key (0 for keys not in use). */
  lengths(): Uint32Array
  statistics(members: Members | null): LexicalStatistics
  wholeStatistics(): WholeStatistics
  keysByTerm(folded: readonly string[]): ReadonlyMap<number, number>
  keysByFile(paths: readonly string[]): ReadonlyMap<number, number>
  /**
   * Records that hold the query, or one of its terms (`ctxsiftTerms`), anywhere in instruction, body, command or a path;
   * members alone, null for all. The first call reads all texts.
   */
  substrings(query: string, terms: readonly string[], members: Members | null): SubstringHits
  /** Every key with this content hash; none where a single record has it. */
  keysByContent(contentHash: string): readonly number[]
  /** Newest first by (updatedAt, id). */
  recent(scope: ScopeAt, limit: number): number[]
  /** Keys whose status, validity, codes or risks may keep them out, with those facts. */
  gated(): ReadonlyMap<number, GateFacts>
  /** Reason rows by key, for the records that have any. */
  reasons(): ReadonlyMap<number, readonly ReasonFact[]>
  /** Records with cycles or a pressure rate, by key: what can come due. */
  due(): ReadonlyMap<number, DueFacts>
  /** A number of every record, by key. */
  numbers(name: NumberFact): Float64Array
  /** The same, or null while every record has the usual value. */
  unusual(name: NumberFact): Float64Array | null
  /** Where records stand in their sessions, by key; null while none does. Valid until the next commit. */
  sessions(): SessionPlaces | null
  /** Every record of the store by that time, then id, both descending; valid until the next commit. */
  newestFirst(name: TimeColumn): TimeOrder
  /** Freshness by key, for the records that reference a file of which something is known. */
  freshness(pick: 'worst' | 'first-stale'): ReadonlyMap<number, Freshness>
  /** Keys of the records with a path that contains one of these (folded, `/` for `\`). */
  keysOfFiles(parts: readonly string[]): ReadonlySet<number>
  /** The stored float32 pieces of each key in the current space. */
  vectorsOf(key: number, visit: (vector: Float32Array) => void): void
  /** All codes of the current space in slot order, in place: valid during the visit. */
  eachCode(visit: (key: number, code: Uint8Array) => void): void

  /** The bytes of a graph over the vectors, as they were last saved; null: never. What they say is not looked at. */
  readGraph(): Uint8Array | null
  /** Saves them in the place of the last ones; the revision stays. */
  writeGraph(sealed: Uint8Array): void

  /** The space vectors are written in and searched in; null until one is chosen. */
  space(): EmbeddingSpace | null
  chooseSpace(space: EmbeddingSpace): void
  vectorCounts(): { readonly current: number; readonly otherSpaces: number }

  /** `done` is remembered in the same transaction; where nothing changes there is none, and nothing is remembered. */
  commit(writes: readonly Write[], done?: readonly DoneOperation[]): Steps<Committed>
  /** Keeps what is known of files; returns the revision. */
  commitFileStates(states: readonly FileCheck[], now: number, done?: readonly DoneOperation[]): number
  /** `at`: ms, for the log. */
  forget(ids: readonly string[], at: number, done?: readonly DoneOperation[]): Steps<Committed>
  /** What was learned of records; keys, states and links as they stand. */
  readonly learning: Learning
  /** Changes what was learned, as one transaction; the revision rises if the log says that anything did. */
  learn<T>(
    at: number,
    work: (changes: LearningChanges) => T,
    operation?: string,
  ): { readonly answer: T; readonly committed: Committed }
  /** Records without vectors of the current space, by key, after one; none where no space was chosen. */
  unembedded(after: number, limit: number, pending?: boolean): readonly UnembeddedRow[]
  countUnembedded(): number
  /** Records without vectors of the current space, by what they have instead. */
  lacking(): LackingCounts
  /** `lacking().pending`, for nothing where no record ever waited. */
  pendingVectors(): number
  /** Gives vectors of the current space to those of these records that still lack them. */
  attachVectors(given: readonly NewVectors[]): Steps<Committed>
  /** Bytes of the database, free pages included. */
  fileBytes(): number
  /** Leaves no free page when it is done. Each step is a transaction of its own. */
  compactSteps(): Generator<CompactProgress, void>
  /** What retention looks at, of every record. */
  retentionRows(config: ResolvedRetention): readonly RetentionRow[]
  /**
   * What is wrong with one part of what is stored, in words; empty: nothing. Other writes may come between two steps; no transaction
   * may be open in a step.
   */
  check(part: CheckedPart): Steps<readonly string[]>
  /** Makes a part again from what it follows from, in one transaction, and all that is derived in memory. */
  repair(part: Exclude<CheckedPart, 'sqlite'>): Steps<void>
  /** Begins an export of the revision that stands. */
  openExport(): ExportSession
  /** Lands an import whole or not at all; a replacing one puts it in the place of everything. */
  land(
    landing: Landing,
    done?: (landed: Landed) => readonly DoneOperation[],
  ): Steps<{ readonly landed: Landed; readonly committed: Committed }>
  /** What is remembered of an operation; null when it changed nothing, or was never carried out, or long ago. */
  done(operation: string): { readonly revision: number; readonly answer: string } | null
  /** What is left of an id in rows and in memory; rows no record owns count too. */
  proof(id: string): Omit<ForgottenProof, 'clean'>
  cacheBytes(): number
  databaseBytes(): number
  /** How posting lists are read. */
  postingsMode(): string
  /** What works less well than it could, in words. */
  degraded(): readonly string[]
}
