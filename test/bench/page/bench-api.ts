/** The requests of the bench to its page, from Node: plain data both ways. Types only. */
import type { Status } from 'scrubjay'
import type { PeerName } from './peer-table.ts'

/** A collection as it is served: `<name>/records.json`, `questions.json` and two files of float32 vectors. */
export interface ServedRecord {
  readonly id: string
  readonly text: string
  readonly tags: readonly string[]
}

export interface ServedQuestion {
  readonly text: string
  /** Only records with this tag may answer; null: all. */
  readonly tag: string | null
}

export type Mode = 'lexical' | 'vector' | 'hybrid' | OwnMode | InUseMode
/** Modes of Scrubjay alone: hybrid, with a policy's handling of copies, and with every reason in words. */
export const ownModes = [
  'hybrid, balanced',
  'hybrid, balanced, explain',
  'hybrid, tokenpak',
  'hybrid, ctxsift',
  'hybrid, secondBrain',
  'assemble',
] as const
export type OwnMode = (typeof ownModes)[number]
/** Modes of Scrubjay alone, in a store of which one record in 400 is superseded: the questions of `hybrid`, and those with a time. */
export const inUseModes = ['hybrid, some superseded', 'hybrid, of last week'] as const
export type InUseMode = (typeof inUseModes)[number]
/** `update` puts a changed record under a known id; `supersede` patches its status, which only Scrubjay does. */
export type ChangeVerb = 'update' | 'remove' | 'supersede'

export interface TimingRequest {
  readonly mode: Mode
  /** Scopes every question; null: each question's own tag, if any. */
  readonly tag: string | null
  /** Questions, from the first; the pass ends early when `budgetMs` is used up. */
  readonly questions: number
  readonly budgetMs: number
}

/** Raw timings in the order asked, ms. */
export interface Timings {
  readonly workerMs: readonly number[]
  readonly pageMs: readonly number[]
}

export interface BatchTimings {
  readonly batchSize: number
  readonly records: number
  readonly batchMs: readonly number[]
}

export interface BenchApi {
  /** Fetches the questions of a collection; every later request uses it. */
  use(request: { readonly collection: string }): Promise<{ readonly questions: number }>
  /**
   * Puts all records into a new store, in batches of the given sizes, each up to a number of records; then closes it.
   */
  fill(request: {
    readonly batches: readonly { readonly batchSize: number; readonly upTo: number }[]
    /** Whether the records are of different days of the last year; judged answers must not depend on today. */
    readonly isSpread: boolean
  }): Promise<readonly BatchTimings[]>
  /** From nothing to an open store, and on to its first hybrid answer. */
  open(request: Record<string, never>): Promise<{ readonly openMs: number; readonly answerMs: number }>
  status(request: Record<string, never>): Promise<Status>
  build(request: { readonly peer: PeerName }): Promise<{ readonly buildMs: number }>
  /** Asks the open contender. */
  time(request: TimingRequest): Promise<Timings>
  /** The ids of the best ten of each of the first questions. */
  rank(request: { readonly mode: Mode; readonly questions: number }): Promise<readonly (readonly string[])[]>
  /** Changes `records` of the `of` records, evenly spaced, in batches. */
  change(request: {
    readonly verb: ChangeVerb
    readonly of: number
    readonly records: number
    readonly batchSize: number
  }): Promise<BatchTimings>
  /** Candidates of a graph's search; returns ms. */
  setEf(request: { readonly ef: number }): Promise<number>
  /** Bytes of WebAssembly memory, if the contender reports them; null: it does not, or has none. */
  wasm(request: Record<string, never>): Promise<number | null>
  /** Closes the store or ends the peer's worker. */
  leave(request: Record<string, never>): Promise<null>
  /** Bytes of all files in the origin's private file system; the store must be closed. */
  disk(request: Record<string, never>): Promise<number>
  /** Bytes of the JavaScript heaps of page and workers, without WebAssembly; null where they are unavailable. */
  memory(request: Record<string, never>): Promise<number | null>
}
