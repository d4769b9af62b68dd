/**
 * Plans writes from parsed and stored records: insert, replace, touch, or nothing.
 * Pure: the store executes the writes in one transaction. Later records of a batch see earlier ones.
 */
import { writeDecision } from '../learning/write-decision.ts'
import type { FieldStamps } from '../merge/field-stamps.ts'
import type { Stamp } from '../merge/stamp.ts'
import type { RecallError } from '../model/errors.ts'
import type { PutOutcome } from '../model/receipts.ts'
import type { ParsedRecord } from './parse-record.ts'
import { secondsNote } from './seconds-note.ts'

/** In the place of a digest: the record has no vectors yet, because its embedder failed or has not run. */
export const pendingVectors = 'pending'

/** The stored state of an id, as far as writing needs it. */
export interface ExistingRecord {
  readonly contentHash: string
  readonly fieldsHash: string
  readonly textHash: string
  /** Digest of its vectors in the current space; null without any; `pending` if they are not computed yet. */
  readonly vectorsHash: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** A parsed record with the decision about its vectors: from the input, embedded, or none. */
export interface PreparedRecord {
  readonly record: ParsedRecord
  readonly vectors: readonly Float32Array[]
  /** Offsets of each chunk into the embedding text, if known. */
  readonly spans: readonly (readonly [number, number] | null)[]
  /** Digest of `vectors`; null without vectors; `pending` while they are not computed; `keep` if the stored ones stay. */
  readonly vectorsHash: string | null | 'keep'
  /** True: the vectors are those of the built-in embedder, in the place of vectors of the space. */
  readonly isStandIn?: boolean | undefined
  /** Why the vectors are pending, if an embedder was called. */
  readonly why?: string | undefined
}

export type Prepared = PreparedRecord | { readonly rejected: RecallError; readonly id: string }

/** The version that an import writes. Other writes take a stamp, and keep the life or begin the next one. */
export interface ImportedVersion {
  readonly life: number
  /** Null: it follows from `updatedAt`. */
  readonly stamp: Stamp | null
  /** ms: when the content changed; null: at `updatedAt`. */
  readonly changedAt: number | null
  /** What its writers knew (core/merge). */
  readonly after: readonly Stamp[]
  /** When each field was last changed; null: all at the stamp. */
  readonly fields: FieldStamps | null
  /** By cycle: the amplitude and the stamp from which its outcomes count; null: as given, and all. */
  readonly cycleStarts: readonly ({ readonly amplitude: number; readonly stamp: Stamp } | null)[]
}

export type Write =
  | {
      readonly kind: 'insert'
      readonly prepared: PreparedRecord
      readonly createdAt: number
      readonly updatedAt: number
      /** ms: the time of the put, which a backfilled record does not contain. */
      readonly at: number
      readonly version?: ImportedVersion
    }
  | {
      readonly kind: 'replace'
      readonly prepared: PreparedRecord
      readonly createdAt: number
      readonly updatedAt: number
      readonly at: number
      readonly version?: ImportedVersion
      readonly moves: boolean
    }
  | { readonly kind: 'touch'; readonly id: string; readonly updatedAt: number; readonly at: number }

export interface WritePlan {
  readonly writes: readonly Write[]
  /** One per record, in the order of the input. */
  readonly outcomes: readonly PutOutcome[]
  /** The stored state after the writes: the start of the next plan in the same transaction. */
  readonly known: ReadonlyMap<string, ExistingRecord>
}

export function planWrite(
  batch: readonly Prepared[],
  existing: ReadonlyMap<string, ExistingRecord>,
  now: number,
): WritePlan {
  const known = new Map(existing)
  const writes: Write[] = []
  const outcomes = batch.map((entry): PutOutcome => {
    if ('rejected' in entry) return rejection(entry.id, entry.rejected)
    const { record } = entry
    if (isFiltered(record)) return { id: record.id, outcome: 'filtered', bodyChanged: false }
    const stored = known.get(record.id)
    if (stored === undefined) {
      const createdAt = record.createdAt ?? record.updatedAt ?? now
      const updatedAt = record.updatedAt ?? now
      writes.push({ kind: 'insert', prepared: entry, createdAt, updatedAt, at: now })
      known.set(record.id, remember(entry, null, createdAt, updatedAt))
      return outcome(entry, known, 'inserted', true, now)
    }
    const bodyChanged = stored.contentHash !== record.contentHash
    const vectorsChanged = entry.vectorsHash !== 'keep' && entry.vectorsHash !== stored.vectorsHash
    const createdAt = record.createdAt ?? stored.createdAt
    const isChanged = stored.fieldsHash !== record.fieldsHash || vectorsChanged || createdAt !== stored.createdAt
    const updatedAt = record.updatedAt ?? Math.max(stored.updatedAt, now)
    const isDated = record.updatedAt !== null && updatedAt !== stored.updatedAt
    if (!isChanged && !isDated) {
      // A backfilled record that is put again unchanged stays unchanged [W1]. Any other identical put changes updatedAt.
      if (updatedAt !== stored.updatedAt) writes.push({ kind: 'touch', id: record.id, updatedAt, at: now })
      known.set(record.id, { ...stored, updatedAt })
      return outcome(entry, known, 'unchanged', false, now)
    }
    const moves = stored.textHash !== record.textHash || vectorsChanged
    writes.push({ kind: 'replace', prepared: entry, createdAt, updatedAt, at: now, moves })
    known.set(record.id, remember(entry, stored, createdAt, updatedAt))
    return outcome(entry, known, 'updated', bodyChanged, now)
  })
  return { writes, outcomes, known }
}

/** Whether the write filter rejects a record (docs/spec/records.md#write-filter). */
export function isFiltered({ writeScore }: ParsedRecord): boolean {
  return writeDecision(writeScore) === 'filtered'
}

function remember(
  entry: PreparedRecord,
  stored: ExistingRecord | null,
  createdAt: number,
  updatedAt: number,
): ExistingRecord {
  return {
    contentHash: entry.record.contentHash,
    fieldsHash: entry.record.fieldsHash,
    textHash: entry.record.textHash,
    vectorsHash: entry.vectorsHash === 'keep' ? (stored?.vectorsHash ?? null) : entry.vectorsHash,
    createdAt,
    updatedAt,
  }
}

function outcome(
  { record, why }: PreparedRecord,
  known: ReadonlyMap<string, ExistingRecord>,
  kind: PutOutcome['outcome'],
  bodyChanged: boolean,
  now: number,
): PutOutcome {
  const { id } = record
  const note = secondsNote(record, now)
  const made = { id, outcome: kind, bodyChanged, ...(note === undefined ? {} : { note }) }
  if (known.get(id)?.vectorsHash !== pendingVectors) return made
  return why === undefined ? { ...made, vectors: 'pending' } : { ...made, vectors: 'pending', why }
}

function rejection(id: string, error: RecallError): PutOutcome {
  return { id, outcome: 'rejected', ...error.toDetails(), bodyChanged: false }
}
