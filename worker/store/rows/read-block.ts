/** Reads one record for an export: the caller's fields, learned state, links to smaller ids, vectors. */
import type { PortableFieldStamps } from '../../../src/core/merge/field-stamps.ts'
import { portableReports } from '../../../src/core/merge/portable-reports.ts'
import type { PortableStamp } from '../../../src/core/merge/portable-stamp.ts'
import type { RecordInput, StoredRecord } from '../../../src/core/model/record.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { joinBytes } from '../../../src/core/collections/join-bytes.ts'
import { encodeFrame, encodeJsonFrame, frameKinds } from '../../../src/protocol/export-format/frames.ts'
import { mergedFields, type PortableBlock, withStarts } from '../../export-format/block.ts'
import { compact } from '../../export-format/compact.ts'
import { portablePrediction, portableProposal } from '../../export-format/learned.ts'
import { type Database, first } from '../../sqlite/database.ts'
import { readPortableContradictions } from './learned/contradiction-rows.ts'
import { readCycleRows, readGivenCycles } from './learned/learned-rows.ts'
import { readPortableLinks } from './learned/link-states.ts'
import { readPredictions } from './learned/prediction-rows.ts'
import { readScopedProposals } from './learned/proposal-rows.ts'
import { readRecord } from './read-records.ts'
import { readReports } from './learned/report-rows.ts'
import { firstSlot, lastSlot } from './vector-rows.ts'

/** Returns the frames of a record; null if the key is unused. */
export function readFrames(database: Database, key: number): Uint8Array<ArrayBuffer> | null {
  const read = readBlock(database, key)
  return read === null ? null : framesOf(read)
}

export function framesOf(read: ReadBlock): Uint8Array<ArrayBuffer> {
  const frames = [encodeJsonFrame(frameKinds.record, read.block)]
  if (read.block.vectors !== undefined) frames.push(encodeFrame(frameKinds.vectors, read.vectors))
  return joinBytes(
    frames,
    frames.reduce((sum, frame) => sum + frame.length, 0),
  )
}

/** Canonical JSON of a record without its links and contradictions, to be compared with `exactly` of an exported block. */
export function exactBlock(database: Database, key: number): string | null {
  const read = readBlock(database, key)
  return read === null ? null : exactly(read.block)
}

export function exactly({ links: _links, contradictions: _pairs, ...rest }: PortableBlock): string {
  return canonicalJson(rest)
}

/** Canonical JSON of a record without the fields that are merged separately, to be compared with `ParsedBlock.canonical`. */
export function canonicalBlock(database: Database, key: number): string | null {
  const read = readBlock(database, key)
  if (read === null) return null
  return canonicalJson(Object.fromEntries(Object.entries(read.block).filter(([name]) => !mergedFields.has(name))))
}

export interface ReadBlock {
  readonly block: PortableBlock
  readonly vectors: Uint8Array<ArrayBuffer>
}

/** How the parts of a record are read. Salvage reads some of them in other ways. */
export interface BlockReaders {
  readonly record: typeof readRecord
  /** Its version: life, stamp and what belongs to it. */
  readonly version: (database: Database, key: number) => Partial<PortableBlock>
  /** The fields that are merged with those of other devices: reports, predictions, proposals. */
  readonly learned: (database: Database, key: number) => Partial<PortableBlock>
  /** Links and contradictions with records of smaller ids. */
  readonly pairs: (database: Database, key: number, id: string) => Partial<PortableBlock>
}

const readers: BlockReaders = {
  record: readRecord,
  version: (database, key) => readVersion(database, key),
  learned: readLearnedState,
  pairs: (database, key, id) => ({
    ...whereAny('links', readPortableLinks(database, key)),
    ...whereAny('contradictions', readPortableContradictions(database, key, id)),
  }),
}

/** Returns null if the key is unused. */
export function readBlock(database: Database, key: number, read: BlockReaders = readers): ReadBlock | null {
  const stored = read.record(database, key)
  if (stored === undefined) return null
  const vectors = readVectors(database, key)
  const block: PortableBlock = {
    record: inputOf(database, key, stored),
    ...read.learned(database, key),
    ...read.pairs(database, key, stored.id),
    ...whereAny('vectors', vectors?.head),
    ...read.version(database, key),
  }
  return { block, vectors: vectors?.bytes ?? new Uint8Array(0) }
}

/** `fields`: NULL for a schema without this column. */
export function readVersion(database: Database, key: number, fields = 'fields'): Partial<PortableBlock> {
  const sql = `SELECT life, stamp_at, stamp_count, stamp_device, changed_at, after, ${fields} FROM records WHERE key = ?`
  const version = first(database, sql, [key], (row): Partial<PortableBlock> => {
    const [life, at, changedAt, after] = [row.number(0), row.numberOrNull(1), row.numberOrNull(4), row.textOrNull(5)]
    const stamps = row.textOrNull(6)
    return {
      ...(life === 0 ? {} : { life }),
      ...(at === null ? {} : { stamp: [at, row.number(2), row.text(3)] }),
      ...(changedAt === null ? {} : { changedAt }),
      ...(after === null ? {} : { after: JSON.parse(after) as readonly PortableStamp[] }),
      ...(stamps === null ? {} : { fields: JSON.parse(stamps) as PortableFieldStamps }),
    }
  })
  return { ...version, ...withStarts(readCycleRows(database, key).map(({ start }) => start)) }
}

export function readLearnedState(database: Database, key: number): Partial<PortableBlock> {
  return {
    ...whereAny('reports', portableReports(readReports(database, key))),
    ...whereAny('predictions', readPredictions(database, key).map(portablePrediction)),
    ...whereAny('proposals', readScopedProposals(database, key).map(portableProposal)),
  }
}

/** The caller's fields and times. Extracted fields are left out, because an import extracts them again. */
export function inputOf(database: Database, key: number, stored: StoredRecord): RecordInput {
  const { confidence: _learned, files, terms, risks, ...fields } = stored
  return compact({
    ...fields,
    cycles: readGivenCycles(database, key),
    files: files
      .filter((file) => file.declared)
      .map(({ declared: _declared, ...file }) => compact(file) as unknown as object),
    terms: terms.filter((entry) => entry.declared).map(({ term, kind }) => ({ term, kind })),
    risks: risks.map(({ flag }) => ({ flag })),
  })
}

function readVectors(database: Database, key: number) {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const spans: (readonly [number, number] | null)[] = []
  let space = -1
  database.each(
    `SELECT space, text_from, text_to, vector FROM vectors WHERE slot BETWEEN ? AND ? ORDER BY slot`,
    [firstSlot(key), lastSlot(key)],
    (row) => {
      const [from, to] = [row.numberOrNull(1), row.numberOrNull(2)]
      space = row.number(0)
      spans.push(from === null || to === null ? null : [from, to])
      chunks.push(row.bytes(3))
    },
  )
  if (chunks.length === 0) return null
  const stored = first(database, `SELECT name, dimensions FROM spaces WHERE space = ?`, [space], (row) => ({
    space: row.text(0),
    dimensions: row.number(1),
  }))
  const hash = first(database, `SELECT vectors_hash FROM records WHERE key = ?`, [key], (row) => row.text(0)) ?? ''
  return {
    head: { ...(stored ?? { space: '', dimensions: 0 }), made: /^\d+:text:/.test(hash), spans },
    bytes: joinBytes(
      chunks,
      chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    ),
  }
}

function whereAny<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0)
  return (isEmpty ? {} : { [name]: value }) as { readonly [P in K]?: V }
}
