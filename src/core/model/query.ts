/**
 * The types of scopes, recall queries and list filters. `query/parse-query.ts` validates them.
 */

import type { Policy } from './policy.ts'
import type { Field, RecordStatus, StoredRecord } from './record.ts'
import type { EvidenceStrength } from './result.ts'

type OneOrMany<T> = T | readonly T[]

/** Filters. A record must pass each filter; a list means "one of". Values are compared byte for byte, without folding or aliases. */
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
  readonly time?: TimeRange | undefined
  readonly ids?: readonly string[] | undefined
  /** Only keys named in `metadataKeys`. A record without the key, or with a list or an object there, is not in the scope. */
  readonly metadata?: Readonly<Record<string, MetadataCondition>> | undefined
}

/** Bounds in ms on one time of a record, half-open: [after, before). */
export interface TimeRange {
  /** Default `createdAt`. A record without `occurredAt` is within no bounds of it. */
  readonly of?: 'createdAt' | 'updatedAt' | 'occurredAt' | undefined
  readonly after?: number | undefined
  readonly before?: number | undefined
}

export type MetadataScalar = string | number | boolean

/**
 * One value, a list of values ("one of"), or a half-open range [from, before) with at least one bound. A range of numbers holds only
 * numbers. A range of strings holds only strings, by code points.
 */
export type MetadataCondition =
  | MetadataScalar
  | readonly MetadataScalar[]
  | { readonly from?: number | undefined; readonly before?: number | undefined }
  | { readonly from?: string | undefined; readonly before?: string | undefined }

export interface ListFilter extends Scope {
  readonly reason?: OneOrMany<string> | undefined
  readonly risk?: OneOrMany<string> | undefined
  /** Only records that hold all words of this text, in any field. Word forms, quoted phrases and `-word` are read as in a search. */
  readonly text?: string | undefined
  /** `last` treats the last word of the text as a prefix. Default `none`. */
  readonly prefix?: RecallQuery['prefix']
  /** `auto` corrects words of the text that no record of the scope holds, as in a search. Default `off`. */
  readonly typos?: RecallQuery['typos']
  /** Default: by `updatedAt`, descending. */
  readonly order?: ListOrder | undefined
  /** Default 100, at most 1,000. */
  readonly limit?: number | undefined
  readonly cursor?: string | null | undefined
}

/**
 * A total order: the last key is the id, in the same direction. Titles are compared without regard to the case of A to Z, then by code
 * points. Records without `occurredAt`, or without a title, come last in both directions.
 */
export interface ListOrder {
  readonly by: 'updatedAt' | 'createdAt' | 'occurredAt' | 'title'
  /** Default: `desc` for times, `asc` for titles. */
  readonly direction?: 'asc' | 'desc' | undefined
}

export interface RecallQuery {
  /**
   * Words between double quotes are a phrase. No answer contains a `-word` or `-"two words"`: a minus counts at the start or after
   * white space, and before a letter or a quoted phrase. Policies whose units are runs (`ctxsift`) read no signs.
   */
  readonly text?: string | undefined
  readonly vector?: Float32Array | undefined
  readonly scope?: Scope | undefined
  /** Boosts records whose field equals this value, byte for byte. Filters nothing. */
  readonly prefer?:
    | {
        readonly project?: string | undefined
        readonly kind?: string | undefined
        readonly topic?: string | undefined
      }
    | undefined
  /** Only records with a path that contains one of these texts. Ignored when no such record matches the query. */
  readonly files?: readonly string[] | undefined
  /** Default 10, or the policy's `defaultLimit`; at most 1,000. */
  readonly limit?: number | undefined
  readonly policy?: Policy | string | undefined
  /** Requires exact vector search, whichever index the store uses. Default false. */
  readonly exact?: boolean | undefined
  /**
   * `last` treats the last word as a prefix (search as you type). Default `none`. The evidence is computed as if the word were
   * complete; completions of the word add less to it, and at most to `weak`.
   */
  readonly prefix?: 'last' | 'none' | undefined
  /**
   * `only` answers with records that hold a word of the text, in any form, or are of a time that it names: a list of matches, without records
   * that are near by meaning or next to a match. Meaning still orders them. Policies that list the whole scope ignore it. Default `any`.
   */
  readonly matching?: 'any' | 'only' | undefined
  /** Collapses records of equal content (`exact`), or near-duplicates too (`near`), into one. Default: the policy's `collapse`. */
  readonly collapse?: 'exact' | 'near' | 'none' | undefined
  /**
   * Most records of one `source` in the answer, 1 to 1,000. The best by ranking are selected; the ledger lists the others.
   * Records without a source are not limited. Default: the policy's `perSource`, else no limit.
   */
  readonly perSource?: number | undefined
  /** ms: only records that were created and valid at this time. */
  readonly asOf?: number | undefined
  /** ms; default: the clock of the client. Used for ages and for times in the text; hides no records. */
  readonly now?: number | undefined
  /**
   * `auto` reads the times that the text names ("last week", "15 November"): records of that time rank higher, and a text that
   * names nothing else lists them. `off` searches for these words instead. Default `auto`. Only under a convex policy with a
   * weight for `time`, such as `balanced`.
   */
  readonly times?: 'auto' | 'off' | undefined
  /**
   * `auto`: of two short statements about one matter, the later comes first (docs/spec/learning.md#changes); `changes` of both hits names the other.
   * `off` leaves them where they rank. Default `auto`. Policies that reproduce another library know no changes.
   */
  readonly changes?: 'auto' | 'off' | undefined
  /** IANA name of the zone of these times, such as `Europe/Berlin`. Default: that of `openRecall`. */
  readonly timeZone?: string | undefined
  /**
   * `auto` corrects words that no record of the scope holds: by one edit from 4 letters, by two from 8. `plan.read` names each
   * correction. A corrected word adds less to a score than a seen one, and corrected words alone give at most `weak` evidence. Words with
   * numbers stay as they are. `off` corrects nothing. Default `auto`. Policies that reproduce
   * another library correct nothing.
   */
  readonly typos?: 'auto' | 'off' | undefined
  /**
   * Words or phrases that no answer may contain, in any field; the same as `-word` and `-"two words"` in the text. At most 256, of
   * at most 4,096 characters each; each must have a letter or a number. Word forms count, as in a search. Under `ledger: true`
   * the records held back are listed as `contains -word`.
   */
  readonly without?: readonly string[] | undefined
  /**
   * The words of the text count only in these fields, at least one. Excluded words are looked for in all fields.
   * Default: all fields.
   */
  readonly in?: readonly Field[] | undefined
  readonly minEvidence?: EvidenceStrength | undefined
  /**
   * Reserves places for standing requests, in addition to the limit: `result.reserved` has the first `places` records, in the order of the
   * answer, whose `kind` is this one or whose text states such a request ("always show types", "I don't eat fish"; cues of seven languages). They
   * must match the query in some channel. They may be among the hits, too, and do not depend on `limit` and `offset`. Default: none.
   */
  readonly reserve?: Reserve | undefined
  /** Ids that the answer must not contain. */
  readonly exclude?: readonly string[] | undefined
  /**
   * Skips this many records of the same order: `offset: 10, limit: 10` gives places 11 to 20 of `limit: 20`. Evidence is that of
   * the first places. Default 0; `offset + limit` must be at most 1,000.
   */
  readonly offset?: number | undefined
  /** Returns every candidate that was not selected, with its reason. Default false: `result.ledger` is null. */
  readonly ledger?: boolean | undefined
  /** Adds the ledger, with the scores of the candidates. */
  readonly explain?: boolean | undefined
  /** Adds the ledger, and the gathered facts for replay. */
  readonly capture?: boolean | undefined
  /**
   * Fields of the records of the hits; other fields are left out of the answer, which makes it smaller. The id is always there.
   * Default: all fields.
   */
  readonly select?: readonly (keyof StoredRecord)[] | undefined
  /** Most code points of a snippet, 0 to 10,000. Default: 240 UTF-16 units. */
  readonly snippetLength?: number | undefined
  /** How many of the best passages of a long record `hit.passages` names, 1 to 100. Default: `hit.passage` alone. */
  readonly passages?: number | undefined
}

/** The request of `about`. */
export interface AboutRequest {
  /** The subject: a name, words, or a question such as "What do you know about Anna?". */
  readonly text: string
  readonly vector?: Float32Array | undefined
  /** Default: all records. */
  readonly scope?: Scope | undefined
  /** Most records of the answer, 1 to 500; the latest are taken. Default 100. */
  readonly limit?: number | undefined
  /** ms: the time at which statements must hold to be current. Default: the clock of the client. */
  readonly now?: number | undefined
}

/** What holds on: how something is to be done, what somebody likes or cannot have, or what the writer is. */
export type StandingKind = 'instruction' | 'preference' | 'profile'

export interface Reserve {
  readonly kind: Exclude<StandingKind, 'profile'>
  /** 1 to 100. */
  readonly places: number
}

/** The fields whose values can be counted. `metadata.x` is a declared metadata key. */
export type FacetKey =
  | 'kind'
  | 'project'
  | 'topic'
  | 'agent'
  | 'bank'
  | 'session'
  | 'status'
  | 'language'
  | 'tags'
  | `metadata.${string}`

export interface FacetRequest {
  readonly keys: readonly FacetKey[]
  /** Default: all records. */
  readonly scope?: Scope | undefined
  /** Counts only records that hold all words of this text, as in `list`. */
  readonly text?: string | undefined
  /** `last` treats the last word of the text as a prefix. Default `none`. */
  readonly prefix?: RecallQuery['prefix']
  /** `auto` corrects words of the text that no record of the scope holds, as in a search. Default `off`. */
  readonly typos?: RecallQuery['typos']
  /** Most values of each key, 1 to 1,000. Default 100. */
  readonly limit?: number | undefined
}

/** Which records `related` returns. */
export interface RelatedRequest extends Pick<RecallQuery, 'scope' | 'collapse' | 'now'> {
  /** Most records, 1 to 1,000. Default 10. */
  readonly limit?: number | undefined
}

export interface SuggestRequest {
  /** Default: all records. */
  readonly scope?: Scope | undefined
  /** Most suggestions, 1 to 1,000. Default 10. */
  readonly limit?: number | undefined
}
