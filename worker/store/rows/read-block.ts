/** Reads one record for an export: the caller's fields, learned state, links to smaller ids, vectors. */
import { nothingLearned } from '../../../src/core/learning/apply-outcome.ts'
import type { RecordInput, StoredRecord } from '../../../src/core/model/record.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { joined } from '../../../src/protocol/export-format/container.ts'
import { encodeFrame, encodeJsonFrame, frameKinds } from '../../../src/protocol/export-format/frames.ts'
import type { PortableBlock, PortableFile } from '../../export-format/block.ts'
import { compact } from '../../export-format/compact.ts'
import { all, type Database, first, type Row } from '../../sqlite/database.ts'
import { readPortableContradictions } from './contradiction-rows.ts'
import { readGivenCycles, readLearned } from './learned-rows.ts'
import { readLinks } from './link-rows.ts'
import { readRecord } from './read-records.ts'
import { firstSlot, lastSlot } from './vector-rows.ts'

/** Returns the frames of a record; null if the key is unused. */
export function readFrames(database: Database, key: number): Uint8Array<ArrayBuffer> | null {
  const read = readBlock(database, key)
  return read === null ? null : framesOf(read)
}

export function framesOf(read: ReadBlock): Uint8Array<ArrayBuffer> {
  const frames = [encodeJsonFrame(frameKinds.record, read.block)]
  if (read.block.vectors !== undefined) frames.push(encodeFrame(frameKinds.vectors, read.vectors))
  return joined(
    frames,
    frames.reduce((sum, frame) => sum + frame.length, 0),
  )
}

/** Canonical JSON of a record without its links and contradictions, to be compared with `ParsedBlock.canonical`. */
export function canonicalBlock(database: Database, key: number): string | null {
  const read = readBlock(database, key)
  if (read === null) return null
  const { links: _links, contradictions: _pairs, ...rest } = read.block
  return canonicalJson(rest)
}

export function readFiles(database: Database): PortableFile[] {
  return all(database, `${fileSql} ORDER BY path`, [], portableFile)
}

export function readFile(database: Database, path: string): PortableFile | undefined {
  return first(database, `${fileSql} WHERE path = ?`, [path], portableFile)
}

const fileSql = `SELECT path, present, sha256, mtime, git, seen_at FROM file_states`

function portableFile(row: Row): PortableFile {
  return {
    path: row.text(0),
    exists: row.number(1) === 1,
    sha256: row.textOrNull(2),
    mtime: row.numberOrNull(3),
    git: row.textOrNull(4),
    seenAt: row.number(5),
  }
}

export interface ReadBlock {
  readonly block: PortableBlock
  readonly vectors: Uint8Array<ArrayBuffer>
}

/** `read` reads the record itself, `readLife` its life and stamp, `readPairs` its contradictions. Returns null if the key is unused. */
export function readBlock(
  database: Database,
  key: number,
  read = readRecord,
  readLife = readVersion,
  readPairs = readPortableContradictions,
): ReadBlock | null {
  const stored = read(database, key)
  if (stored === undefined) return null
  const vectors = readVectors(database, key)
  const block: PortableBlock = {
    record: inputOf(database, key, stored),
    ...whereAny('learned', readLearnedState(database, key)),
    ...whereAny('links', readSmallerLinks(database, key, stored.id)),
    ...whereAny('predictions', readPredictions(database, key)),
    ...whereAny('proposals', readProposalsOf(database, key)),
    ...whereAny('contradictions', readPairs(database, key, stored.id)),
    ...whereAny('vectors', vectors?.head),
    ...readLife(database, key),
  }
  return { block, vectors: vectors?.bytes ?? new Uint8Array(0) }
}

/** Life and stamp of a record, as an export has them. */
export function readVersion(database: Database, key: number): Pick<PortableBlock, 'life' | 'stamp'> {
  const sql = `SELECT life, stamp_at, stamp_count, stamp_device FROM records WHERE key = ?`
  const version = first(database, sql, [key], (row): Pick<PortableBlock, 'life' | 'stamp'> => {
    const life = row.number(0)
    const at = row.numberOrNull(1)
    return {
      ...(life === 0 ? {} : { life }),
      ...(at === null ? {} : { stamp: [at, row.number(2), row.text(3)] }),
    }
  })
  return version ?? {}
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

/** Undefined if nothing was learned, so that a row of defaults and a missing row export the same bytes. */
function readLearnedState(database: Database, key: number): PortableBlock['learned'] {
  const amplitudes = readGivenCycles(database, key).map(({ amplitude }) => amplitude)
  const learned = readLearned(database, key)
  return canonicalJson(learned) === canonicalJson(nothingLearned(amplitudes)) ? undefined : learned
}

export function readSmallerLinks(database: Database, key: number, own: string) {
  return readLinks(database, key)
    .filter(({ id }) => compareCodePoints(id, own) < 0)
    .sort((a, b) => compareCodePoints(a.id, b.id))
    .map(({ id, weight }) => [id, weight] as const)
}

function readPredictions(database: Database, key: number) {
  return all(
    database,
    `SELECT created_at, expected, actual, error, resolved_at FROM predictions WHERE key = ? ORDER BY created_at`,
    [key],
    (row) => ({
      createdAt: row.number(0),
      expected: row.text(1),
      actual: row.textOrNull(2),
      error: row.numberOrNull(3),
      resolvedAt: row.numberOrNull(4),
    }),
  )
}

function readProposalsOf(database: Database, key: number) {
  return all(
    database,
    `SELECT scope, created_at, reason FROM proposals WHERE key = ? ORDER BY scope`,
    [key],
    (row) => ({ scope: row.text(0), createdAt: row.number(1), reason: row.text(2) }),
  )
}

function readVectors(database: Database, key: number) {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const spans: (readonly [number, number] | null)[] = []
  let space = -1
  database.each(
    `SELECT space, text_from, text_to, vector FROM vectors WHERE slot BETWEEN ? AND ? ORDER BY slot`,
    [firstSlot(key), lastSlot(key)],
    (row) => {
      const [from, to] = [row.numberOrNull(1), row.numberOrNull(2)]
      space = row.number(0)
      spans.push(from === null || to === null ? null : [from, to])
      pieces.push(row.bytes(3))
    },
  )
  if (pieces.length === 0) return null
  const stored = first(database, `SELECT name, dimensions FROM spaces WHERE space = ?`, [space], (row) => ({
    space: row.text(0),
    dimensions: row.number(1),
  }))
  const hash = first(database, `SELECT vectors_hash FROM records WHERE key = ?`, [key], (row) => row.text(0)) ?? ''
  return {
    head: { ...(stored ?? { space: '', dimensions: 0 }), made: /^\d+:text:/.test(hash), spans },
    bytes: joined(
      pieces,
      pieces.reduce((sum, piece) => sum + piece.length, 0),
    ),
  }
}

function whereAny<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0)
  return (isEmpty ? {} : { [name]: value }) as { readonly [P in K]?: V }
}
