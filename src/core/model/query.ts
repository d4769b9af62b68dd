/**
 * What a caller asks: scopes (filters, byte-literal, AND between fields), recall queries, list filters.
 * Types only; `query/parse-query` validates them.
 */

import type { Policy } from './policy.ts'
import type { RecordStatus } from './record.ts'
import type { EvidenceStrength } from './result.ts'

type OneOrMany<T> = T | readonly T[]

/** Filters. Every given field must hold; a list means "one of". Nothing is folded or aliased. */
export interface Scope {
  readonly project?: OneOrMany<string> | undefined
  readonly kind?: OneOrMany<string> | undefined
  readonly topic?: OneOrMany<string> | undefined
  readonly agent?: OneOrMany<string> | undefined
  readonly bank?: OneOrMany<string> | undefined
  readonly session?: OneOrMany<string> | undefined
  readonly status?: OneOrMany<RecordStatus> | undefined
  readonly tags?:
    | {
        readonly any?: readonly string[] | undefined
        readonly all?: readonly string[] | undefined
        readonly none?: readonly string[] | undefined
      }
    | undefined
  /** Bounds on createdAt, half-open: [after, before). */
  readonly time?: { readonly after?: number | undefined; readonly before?: number | undefined } | undefined
  readonly ids?: readonly string[] | undefined
  /** Only keys named in `metadataKeys` when the store was created. */
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | undefined
}

export interface ListFilter extends Scope {
  readonly reason?: OneOrMany<string> | undefined
  readonly risk?: OneOrMany<string> | undefined
  /** Default 100, at most 1,000. */
  readonly limit?: number | undefined
  readonly cursor?: string | null | undefined
}

export interface RecallQuery {
  readonly text?: string | undefined
  readonly vector?: Float32Array | undefined
  readonly scope?: Scope | undefined
  /** Boosts records whose field equals the given one, byte for byte; filters none. */
  readonly prefer?:
    | {
        readonly project?: string | undefined
        readonly kind?: string | undefined
        readonly topic?: string | undefined
      }
    | undefined
  /** Only records with a path that contains one of these, unless none of them matches the query. */
  readonly files?: readonly string[] | undefined
  /** Default 10 (a policy may say otherwise), at most 1,000. */
  readonly limit?: number | undefined
  readonly policy?: Policy | string | undefined
  /** Ask for exact vector search whatever index the store uses. */
  readonly exact?: boolean | undefined
  /**
   * `last` treats the last word as a prefix (search as you type); default `none`. Evidence is judged as if the word were complete;
   * what it may become adds less, and makes it `weak` at most.
   */
  readonly prefix?: 'last' | 'none' | undefined
  /** Whether records of the same content, or near-duplicates too, are folded into one; default: as the policy says. */
  readonly collapse?: 'exact' | 'near' | 'none' | undefined
  /**
   * Most records of one `source` in the answer, 1 to 1,000: the best by ranking, the rest are passed over, and the ledger
   * says so. Records without a source are not limited. Default: as the policy says, else no limit.
   */
  readonly perSource?: number | undefined
  /** Only what was valid and created by then (ms). */
  readonly asOf?: number | undefined
  /** ms; default: the clock the client sends. Only ages; it never hides. */
  readonly now?: number | undefined
  readonly minEvidence?: EvidenceStrength | undefined
  /** Ids to leave out. */
  readonly exclude?: readonly string[] | undefined
  readonly explain?: boolean | undefined
  /** Adds the gathered facts to the result, for replay. */
  readonly capture?: boolean | undefined
}
