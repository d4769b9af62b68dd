/**
 * Parses and validates one exported record: the caller's fields with `parseRecord`, learned state with the limits that the engine itself
 * keeps. Unknown fields are refused by name.
 */
import type { FileState } from '../../src/core/evidence/freshness.ts'
import { parseList, parseObject, parseTimestamp, refuse, requiredString } from '../../src/core/ingest/parse-fields.ts'
import { type ParsedRecord, parseRecord } from '../../src/core/ingest/parse-record.ts'
import type { ImportedVersion } from '../../src/core/ingest/plan-write.ts'
import type { PortableFieldStamps } from '../../src/core/merge/field-stamps.ts'
import type { PortableLink } from '../../src/core/merge/portable-links.ts'
import type { PortableDeviceReports } from '../../src/core/merge/portable-reports.ts'
import { type PortableStamp, portableStamp, unstamped } from '../../src/core/merge/portable-stamp.ts'
import type { Prediction } from '../../src/core/merge/predictions.ts'
import type { ScopedProposal } from '../../src/core/merge/proposals.ts'
import type { Reports } from '../../src/core/merge/reports.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import { parseLanguage } from '../../src/core/model/languages.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { damaged } from '../../src/protocol/export-format/container.ts'
import type { Header, VectorsHead } from '../../src/protocol/export-format/frames.ts'
import { type PortableContradiction, parseContradictions } from './contradictions.ts'
import {
  type PortablePrediction,
  type PortableProposal,
  parseLinks,
  parsePredictions,
  parseProposals,
} from './learned.ts'
import { fields, type Given, needed } from './needed.ts'
import { parseCycleStarts, parseEarlier, parseReports } from './reports.ts'
import { parseAfter, parseFieldStamps, parseLife, parseStamp } from './versions.ts'

/** As written to an export. Empty lists, and a learned state without changes, are left out. */
export interface PortableBlock {
  readonly record: RecordInput
  /** The learned state, by device. */
  readonly reports?: readonly PortableDeviceReports[]
  /** Links to records with smaller ids, by id, so that each link is exported once. */
  readonly links?: readonly PortableLink[]
  readonly predictions?: readonly PortablePrediction[]
  readonly proposals?: readonly PortableProposal[]
  readonly contradictions?: readonly PortableContradiction[]
  readonly vectors?: VectorsHead
  /** Left out if 0. */
  readonly life?: number
  /** Left out if it follows from `updatedAt`. */
  readonly stamp?: PortableStamp
  /** ms: when the content changed; left out if at `updatedAt`. */
  readonly changedAt?: number
  /** What its writers knew of other devices; left out if nothing. */
  readonly after?: readonly PortableStamp[]
  /** When fields were changed; left out if all have the stamp of the version. */
  readonly fields?: PortableFieldStamps
  /** By cycle where its outcomes begin to count, with its amplitude then; left out if all do. */
  readonly cycleStarts?: readonly PortableCycleStart[]
}

export type PortableCycleStart = readonly [amplitude: number, stamp: PortableStamp] | null

/** A valid block. */
export interface ParsedBlock extends ImportedVersion {
  readonly record: ParsedRecord & { readonly createdAt: number; readonly updatedAt: number }
  readonly reports: Reports
  readonly links: readonly PortableLink[]
  readonly predictions: readonly Prediction[]
  readonly proposals: readonly ScopedProposal[]
  readonly contradictions: readonly PortableContradiction[]
  readonly vectors: VectorsHead | null
  /** Canonical JSON without the fields that are merged separately (`mergedFields`). It decides which of two blocks of the same version wins. */
  readonly canonical: string
  /** The parsed input. */
  readonly given: PortableBlock
}

export interface PortableFile extends FileState {
  /** Time (ms) at which the app reported the state. */
  readonly seenAt: number
  /** Left out if it follows from `seenAt`. */
  readonly stamp?: PortableStamp
}

export function parseHeader(input: unknown): Header {
  const given = parseObject(
    input,
    'source.header',
    fields('format', 'stemmer', 'metadataKeys', 'languages', 'records', 'files', 'tombstones', 'tiersAreHeld'),
    invalid,
  )
  const { stemmer, format, tiersAreHeld } = given
  if (format !== 1 && format !== 2 && format !== 3) throw damaged('its header has another format')
  if (stemmer !== 'porter' && stemmer !== 'none') throw damaged('its header has no known stemmer')
  const metadataKeys = parseList(given['metadataKeys'], 'source.header.metadataKeys', 1_000, (key, field) =>
    requiredString(key, field, tuning.maxTextBytes, invalid),
  )
  const tags = parseList(given['languages'], 'source.header.languages', 100, (tag, field) =>
    parseLanguage(tag, field, invalid),
  )
  const languages = tags.length === 0 ? {} : { languages: tags }
  if (tiersAreHeld !== undefined && tiersAreHeld !== true) throw damaged('its header has an unknown form')
  const tombstones = format === 1 ? 0 : count(given, 'tombstones')
  const counts = { records: count(given, 'records'), files: count(given, 'files'), tombstones }
  return { format, stemmer, metadataKeys, ...languages, ...counts, ...(tiersAreHeld ? { tiersAreHeld } : {}) }
}

export function parseBlock(input: unknown): ParsedBlock {
  const given = parseObject(input, 'block', blockFields)
  const parsed = parseRecord(given['record'])
  const { createdAt, updatedAt } = parsed
  const { id } = given['record'] as RecordInput
  if (id === undefined || createdAt === null || updatedAt === null || parsed.confidence !== null || parsed.chunks)
    throw damaged('a record has an unknown form')
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !mergedFields.has(name)))
  const stamp = parseStamp(given['stamp'], 'block.stamp')
  const version = stamp ?? unstamped(updatedAt)
  const earlier = parseEarlier(given['learned'], parsed.cycles, version)
  const cycleStarts = earlier?.cycleStarts ?? parseCycleStarts(given['cycleStarts'], parsed.cycles.length)
  return {
    record: { ...parsed, createdAt, updatedAt },
    reports: earlier?.reports ?? parseReports(given['reports']),
    links: parseLinks(given['links'], parsed.id),
    predictions: parsePredictions(given['predictions']),
    proposals: parseProposals(given['proposals']),
    contradictions: parseContradictions(given['contradictions'], parsed.id),
    vectors: parseVectorsHead(given['vectors']),
    life: parseLife(given, 'block'),
    stamp,
    changedAt: parseTimestamp(given, 'changedAt', 'block'),
    after: parseAfter(given['after']),
    fields: parseFieldStamps(given['fields'], stamp),
    cycleStarts,
    // Without the form of older versions, so that the same version is equal in either.
    canonical: canonicalJson({ ...rest, ...withStarts(cycleStarts) }),
    given: given as unknown as PortableBlock,
  }
}

/** As an export has it: left out if all outcomes of every cycle count. */
export function withStarts(starts: ParsedBlock['cycleStarts']): Pick<PortableBlock, 'cycleStarts'> {
  if (starts.every((start) => start === null)) return {}
  return {
    cycleStarts: starts.map((start) => (start === null ? null : [start.amplitude, portableStamp(start.stamp)])),
  }
}

/** Fields that are united with those of another device, whichever version wins. */
export const mergedFields = fields('links', 'contradictions', 'reports', 'learned', 'predictions', 'proposals', 'after')

const blockFields = fields(...mergedFields, 'record', 'vectors', 'life', 'stamp', 'changedAt', 'cycleStarts', 'fields')

export function parseFile(input: unknown): PortableFile {
  const given = parseObject(input, 'file', fields('path', 'exists', 'sha256', 'mtime', 'git', 'seenAt', 'stamp'))
  const text = (name: string) => (given[name] == null ? null : requiredString(given[name], `file.${name}`, maxState))
  const seenAt = parseTimestamp(given, 'seenAt')
  const stamp = parseStamp(given['stamp'], 'file.stamp')
  if (typeof given['exists'] !== 'boolean' || seenAt === null) throw damaged('a file has an unknown form')
  return {
    path: requiredString(given['path'], 'file.path', tuning.maxTextBytes),
    exists: given['exists'],
    sha256: text('sha256'),
    mtime: parseTimestamp(given, 'mtime'),
    git: text('git'),
    seenAt,
    ...(stamp === null ? {} : { stamp: portableStamp(stamp) }),
  }
}

/** Decodes the vectors that a head announces. Throws INVALID_ARGUMENT if their size is wrong or a number is not finite. */
export function parseVectorBytes({ dimensions, spans }: VectorsHead, bytes: Uint8Array<ArrayBuffer>): Float32Array[] {
  if (bytes.length !== spans.length * dimensions * 4) throw damaged('the vectors of a record have another size')
  // Float32Array needs alignment, which holds because a frame has its own buffer.
  const all = new Float32Array(bytes.buffer)
  if (!all.every(Number.isFinite)) throw damaged('a vector has a number that is not finite')
  return spans.map((_, i) => all.subarray(i * dimensions, (i + 1) * dimensions))
}

const invalid = 'INVALID_ARGUMENT'
const maxState = 1_024

function parseVectorsHead(input: unknown): VectorsHead | null {
  if (input === undefined) return null
  const given = parseObject(input, 'vectors', fields('space', 'dimensions', 'made', 'spans'))
  if (typeof given['made'] !== 'boolean') throw damaged('vectors have no mark of who made them')
  const position = { min: 0, max: 2 ** 31, integer: true }
  const spans = parseList(given['spans'], 'vectors.spans', tuning.maxVectorsPerRecord, (span, field) => {
    if (span === null) return null
    if (!Array.isArray(span) || span.length !== 2) throw refuse(field, span, 'must be a span', 'Export again.')
    const [from, to] = span as readonly unknown[]
    return [needed({ from }, 'from', position, field), needed({ to }, 'to', position, field)] as const
  })
  if (spans.length === 0) throw damaged('a record claims vectors but has no spans')
  return {
    space: requiredString(given['space'], 'vectors.space', tuning.maxTextBytes),
    dimensions: needed(given, 'dimensions', { min: 1, max: tuning.maxDimensions, integer: true }, 'vectors'),
    made: given['made'],
    spans,
  }
}

function count(given: Given, name: string): number {
  return needed(given, name, { min: 0, max: Number.MAX_SAFE_INTEGER, integer: true }, 'source.header')
}
