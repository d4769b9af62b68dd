/**
 * The types of a record: the input of `put` (`RecordInput`) and the stored form (`StoredRecord`).
 * Only `ingest/parse-record.ts` turns an input into the stored form.
 */

export const recordStatuses = ['active', 'proposed', 'superseded', 'deprecated', 'conflicted'] as const
export type RecordStatus = (typeof recordStatuses)[number]

export interface FileReference {
  /** Path as text; `\` is stored as `/`. */
  readonly path: string
  /** Content hash at capture, lower-case text; compared as text. */
  readonly sha256?: string | null | undefined
  /** Modification time at capture, ms since the epoch. */
  readonly mtime?: number | null | undefined
  /** Whether the file existed at capture; default true. */
  readonly existed?: boolean | undefined
  /** Git status code at capture, for example `M`. */
  readonly git?: string | null | undefined
}

export interface TermReference {
  readonly term: string
  /** symbol, test, package, command, frame, or any other word. */
  readonly kind: string
}

export interface Anchor {
  readonly id: string
  readonly path: string
  readonly kind: string
}

/** A row of the closed reason registry; weight 0..1, default 1. */
export interface ReasonRow {
  readonly code: string
  readonly weight?: number | undefined
}

/** A row of the closed risk registry, which sets the severity. */
export interface RiskRow {
  readonly flag: string
}

export interface RelationRow {
  /** Any word. `derived_from` limits the record's authority tier to that of its target; a target that is not stored has no tier. */
  readonly kind: string
  /** Id of the other record. */
  readonly target: string
}

export interface Cycle {
  /** Seconds, at least 60. */
  readonly periodSeconds: number
  /** 0..100; below 0.01 counts as 0. */
  readonly amplitude: number
  readonly phaseSeconds: number
}

export type MetadataValue =
  | string
  | number
  | boolean
  | null
  | readonly MetadataValue[]
  | { readonly [key: string]: MetadataValue }
export type Metadata = { readonly [key: string]: MetadataValue }

/** One embedded chunk of a record. `from` and `to` are UTF-16 offsets into the embedding text, if known. */
export interface VectorChunk {
  readonly vector: Float32Array
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** The input of `put`. At least one of title, summary, body, instruction, command must contain more than white space. */
export interface RecordInput {
  readonly id?: string | undefined
  readonly kind?: string | undefined
  readonly project?: string | null | undefined
  readonly topic?: string | null | undefined
  readonly agent?: string | null | undefined
  readonly bank?: string | null | undefined
  readonly session?: string | null | undefined
  readonly title?: string | null | undefined
  readonly summary?: string | null | undefined
  readonly body?: string | null | undefined
  readonly instruction?: string | null | undefined
  readonly command?: string | null | undefined
  readonly exitCode?: number | null | undefined
  readonly source?: string | null | undefined
  readonly authority?: string | null | undefined
  readonly tags?: readonly string[] | undefined
  readonly files?: readonly FileReference[] | undefined
  readonly terms?: readonly TermReference[] | undefined
  readonly anchors?: readonly Anchor[] | undefined
  readonly reasons?: readonly ReasonRow[] | undefined
  readonly risks?: readonly RiskRow[] | undefined
  readonly relations?: readonly RelationRow[] | undefined
  readonly status?: RecordStatus | undefined
  readonly supersededBy?: string | null | undefined
  readonly validFrom?: number | null | undefined
  readonly validUntil?: number | null | undefined
  readonly expiresAt?: number | null | undefined
  readonly importance?: number | undefined
  readonly confidence?: number | null | undefined
  readonly cycles?: readonly Cycle[] | undefined
  readonly pressureRate?: number | undefined
  /**
   * One vector for the whole text, or one per chunk; `[]` for none. `pending`: the record is stored without vectors, and the
   * embedder computes them in the background. Default: the embedder computes them before the record is stored.
   */
  readonly vectors?: Float32Array | readonly (Float32Array | VectorChunk)[] | 'pending' | undefined
  readonly authorityTier?: string | null | undefined
  readonly profile?: string | null | undefined
  readonly writeScore?: number | null | undefined
  readonly position?: number | null | undefined
  readonly occurredAt?: number | null | undefined
  /** The language of the texts, as a BCP 47 primary tag. Default: any language of the store. */
  readonly language?: string | null | undefined
  readonly metadata?: Metadata | undefined
  /** ms since the epoch. Default: the stored value; for a new record its updatedAt, or the time of the call. */
  readonly createdAt?: number | undefined
  /**
   * ms since the epoch. Default: the later of the stored value and the time of the call. An explicit time is stored even if it is
   * earlier. When stores are merged, the later change wins, whatever its updatedAt.
   */
  readonly updatedAt?: number | undefined
  readonly contentHash?: string | undefined
}

/** A record as stored: every scalar is present (null if absent), and every list is present (possibly empty). */
export interface StoredRecord {
  readonly id: string
  readonly kind: string
  readonly project: string | null
  readonly topic: string | null
  readonly agent: string | null
  readonly bank: string | null
  readonly session: string | null
  readonly title: string | null
  readonly summary: string | null
  readonly body: string | null
  readonly instruction: string | null
  readonly command: string | null
  readonly exitCode: number | null
  readonly source: string | null
  readonly authority: string | null
  readonly tags: readonly string[]
  /** Declared references, then those that extraction found in the text (`existed` true, no hash). */
  readonly files: readonly StoredFile[]
  /** Declared terms, then those that extraction found in the text. */
  readonly terms: readonly StoredTerm[]
  readonly anchors: readonly Anchor[]
  readonly reasons: readonly { readonly code: string; readonly weight: number }[]
  readonly risks: readonly { readonly flag: string; readonly severity: RiskSeverity }[]
  readonly relations: readonly RelationRow[]
  readonly status: RecordStatus
  readonly supersededBy: string | null
  readonly validFrom: number | null
  readonly validUntil: number | null
  readonly expiresAt: number | null
  readonly importance: number
  readonly confidence: number
  readonly cycles: readonly Cycle[]
  readonly pressureRate: number
  /** The current tier: the lowest of its own (by profile, bank or input) and those of all records it is `derived_from`. Null: no tier. */
  readonly authorityTier: string | null
  readonly profile: string | null
  readonly writeScore: number | null
  readonly position: number | null
  readonly occurredAt: number | null
  /** Absent if the input named none. */
  readonly language?: string
  readonly metadata: Metadata
  readonly createdAt: number
  readonly updatedAt: number
  /** SHA-256 hex of the UTF-8 JSON of [title, summary, body, instruction, command]. */
  readonly contentHash: string
}

const isStoredField: Readonly<Record<keyof StoredRecord, true>> = {
  id: true,
  kind: true,
  project: true,
  topic: true,
  agent: true,
  bank: true,
  session: true,
  title: true,
  summary: true,
  body: true,
  instruction: true,
  command: true,
  exitCode: true,
  source: true,
  authority: true,
  tags: true,
  files: true,
  terms: true,
  anchors: true,
  reasons: true,
  risks: true,
  relations: true,
  status: true,
  supersededBy: true,
  validFrom: true,
  validUntil: true,
  expiresAt: true,
  importance: true,
  confidence: true,
  cycles: true,
  pressureRate: true,
  authorityTier: true,
  profile: true,
  writeScore: true,
  position: true,
  occurredAt: true,
  language: true,
  metadata: true,
  createdAt: true,
  updatedAt: true,
  contentHash: true,
}

/** The names of all fields of a stored record. */
export const storedFields: readonly (keyof StoredRecord)[] = /* @__PURE__ */ (
  Object.keys as (value: object) => (keyof StoredRecord)[]
)(isStoredField)

export interface StoredFile {
  readonly path: string
  readonly sha256: string | null
  readonly mtime: number | null
  readonly existed: boolean
  readonly git: string | null
  /** False when extraction found the path in the text. */
  readonly declared: boolean
}

export interface StoredTerm extends TermReference {
  /** False when extraction found it in the text. */
  readonly declared: boolean
}

export type RiskSeverity = 'info' | 'warn' | 'block'

/** Text fields in the order of the FTS5 columns; `paths` and `terms` are the joined references. */
export const textFields = ['title', 'summary', 'body', 'instruction', 'command', 'paths', 'terms'] as const
export type TextField = (typeof textFields)[number]
/** A field of text that is searched by words. */
export type Field = TextField

/** The fields that the content hash covers, in its order. */
export const contentFields = ['title', 'summary', 'body', 'instruction', 'command'] as const
export type ContentField = (typeof contentFields)[number]

/** Title, summary and body, one below the other. */
export function proseOf({ title, summary, body }: Pick<StoredRecord, 'title' | 'summary' | 'body'>): string {
  return [title, summary, body].filter((part) => part !== null).join('\n')
}

export interface StoredVersion {
  /** ms: when it was written; null if that was before the store kept its history. */
  readonly from: number | null
  /** ms: when another version replaced it; null for the present one. */
  readonly until: number | null
  /** The record as it was; `put` makes it the present version again. Empty fields are left out. */
  readonly record: RecordInput
}
