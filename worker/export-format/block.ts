/**
 * Parses and validates one exported record: the caller's fields with `parseRecord`, learned state with the limits that the engine itself
 * keeps. Unknown fields are refused by name.
 */
import type { FileState } from '../../src/core/evidence/freshness.ts'
import { parsePrediction } from '../../src/core/evidence/parse-prediction.ts'
import {
  optionalNumber,
  parseList,
  parseObject,
  parseTimestamp,
  refuse,
  requiredString,
} from '../../src/core/ingest/parse-fields.ts'
import { type ParsedRecord, parseRecord } from '../../src/core/ingest/parse-record.ts'
import type { LearnedState } from '../../src/core/learning/apply-outcome.ts'
import type { Stamp } from '../../src/core/merge/stamp.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import { parseLanguage } from '../../src/core/model/languages.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { parseScope } from '../../src/core/query/parse-query.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import { damaged } from '../../src/protocol/export-format/container.ts'
import type { Header, VectorsHead } from '../../src/protocol/export-format/frames.ts'
import { type PortableContradiction, parseContradictions } from './contradictions.ts'
import { type PortableStamp, parseLife, parseStamp } from './versions.ts'

export interface PortablePrediction {
  readonly createdAt: number
  /** Canonical JSON. */
  readonly expected: string
  /** Canonical JSON; null: an outcome resolved it, or it is open. */
  readonly actual: string | null
  readonly error: number | null
  /** Null: it is open. */
  readonly resolvedAt: number | null
}

export interface PortableProposal {
  /** Canonical JSON of the scope in which it was proposed. */
  readonly scope: string
  readonly createdAt: number
  readonly reason: string
}

/** As written to an export. Empty lists, and a learned state without changes, are left out. */
export interface PortableBlock {
  readonly record: RecordInput
  readonly learned?: LearnedState
  /** Links to records with smaller ids, by id, so that each link is exported once. */
  readonly links?: readonly (readonly [id: string, weight: number])[]
  readonly predictions?: readonly PortablePrediction[]
  readonly proposals?: readonly PortableProposal[]
  readonly contradictions?: readonly PortableContradiction[]
  readonly vectors?: VectorsHead
  /** Left out if 0. */
  readonly life?: number
  /** Left out if it follows from `updatedAt`. */
  readonly stamp?: PortableStamp
}

/** A valid block. */
export interface ParsedBlock extends Required<Omit<PortableBlock, 'record' | 'learned' | 'vectors' | 'stamp'>> {
  readonly record: ParsedRecord & { readonly createdAt: number; readonly updatedAt: number }
  readonly learned: LearnedState | null
  readonly vectors: VectorsHead | null
  readonly stamp: Stamp | null
  /** Canonical JSON without links and contradictions, which are merged on their own. It decides which of two blocks of the same record and time wins. */
  readonly canonical: string
  /** The parsed input. */
  readonly given: PortableBlock
}

export interface PortableFile extends FileState {
  /** Time (ms) at which the app reported the state. */
  readonly seenAt: number
}

export function parseHeader(input: unknown): Header {
  const given = parseObject(
    input,
    'source.header',
    fields('format', 'stemmer', 'metadataKeys', 'languages', 'records', 'files', 'tombstones', 'tiersAreHeld'),
    invalid,
  )
  const { stemmer, format, tiersAreHeld } = given
  if (format !== 1 && format !== 2) throw damaged('its header has another format')
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
  const names = fields(
    'record',
    'learned',
    'links',
    'predictions',
    'proposals',
    'contradictions',
    'vectors',
    'life',
    'stamp',
  )
  const given = parseObject(input, 'block', names)
  const parsed = parseRecord(given['record'])
  const { createdAt, updatedAt } = parsed
  const { id } = given['record'] as RecordInput
  if (id === undefined || createdAt === null || updatedAt === null || parsed.confidence !== null || parsed.pieces)
    throw damaged('a record has an unknown form')
  const { links: _links, contradictions: _pairs, ...rest } = given
  return {
    record: { ...parsed, createdAt, updatedAt },
    learned: parseLearned(given['learned'], parsed.cycles.length),
    links: parseLinks(given['links'], parsed.id),
    predictions: parsePredictions(given['predictions']),
    proposals: parseProposals(given['proposals']),
    contradictions: parseContradictions(given['contradictions'], parsed.id),
    vectors: parseVectorsHead(given['vectors']),
    life: parseLife(given, 'block'),
    stamp: parseStamp(given['stamp'], 'block.stamp'),
    canonical: canonicalJson(rest),
    given: given as unknown as PortableBlock,
  }
}

export function parseFile(input: unknown): PortableFile {
  const given = parseObject(input, 'file', fields('path', 'exists', 'sha256', 'mtime', 'git', 'seenAt'))
  const text = (name: string) => (given[name] == null ? null : requiredString(given[name], `file.${name}`, maxState))
  const seenAt = parseTimestamp(given, 'seenAt')
  if (typeof given['exists'] !== 'boolean' || seenAt === null) throw damaged('a file has an unknown form')
  return {
    path: requiredString(given['path'], 'file.path', tuning.maxTextBytes),
    exists: given['exists'],
    sha256: text('sha256'),
    mtime: parseTimestamp(given, 'mtime'),
    git: text('git'),
    seenAt,
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
/** Counters above this cannot come from real use, even over years. */
const maxHistory = 1_000_000
type Given = Readonly<Record<string, unknown>>

function fields(...names: readonly string[]): ReadonlySet<string> {
  return new Set(names)
}

function parseLearned(input: unknown, cycles: number): LearnedState | null {
  if (input === undefined) return null
  const names = fields('confidence', 'touchedAt', 'resolvedAt', 'accessCount', 'accessedAt', 'amplitudes')
  const given = parseObject(input, 'learned', names)
  const confidence = parseObject(
    given['confidence'],
    'learned.confidence',
    fields('confidence', 'evidence', 'corroborations', 'contradictions'),
  )
  const accessedAt = parseList(given['accessedAt'], 'learned.accessedAt', tuning.maxAccesses, (at, field) =>
    needed({ at }, 'at', { min: -tuning.maxTimestampMs, max: tuning.maxTimestampMs }, field),
  )
  if (accessedAt.some((at, i) => i > 0 && at < accessedAt[i - 1]!)) throw damaged('reads are not in order')
  const amplitudes = parseList(given['amplitudes'], 'learned.amplitudes', tuning.maxCycles, (amplitude, field) =>
    needed({ amplitude }, 'amplitude', { min: 0, max: tuning.maxAmplitude }, field),
  )
  if (amplitudes.length !== cycles) throw damaged('a record has another number of amplitudes than cycles')
  const counted = (from: Given, name: string, at: string) =>
    needed(from, name, { min: 0, max: tuning.maxCount, integer: true }, at)
  return {
    confidence: {
      confidence: needed(confidence, 'confidence', { min: 0, max: 1 }, 'learned.confidence'),
      evidence: counted(confidence, 'evidence', 'learned.confidence'),
      corroborations: counted(confidence, 'corroborations', 'learned.confidence'),
      contradictions: counted(confidence, 'contradictions', 'learned.confidence'),
    },
    touchedAt: parseTimestamp(given, 'touchedAt', 'learned'),
    resolvedAt: parseTimestamp(given, 'resolvedAt', 'learned'),
    accessCount: counted(given, 'accessCount', 'learned'),
    accessedAt,
    amplitudes,
  }
}

function parseLinks(input: unknown, own: string): ParsedBlock['links'] {
  const links = parseList(input, 'links', maxHistory, (entry, field) => {
    if (!Array.isArray(entry) || entry.length !== 2) throw refuse(field, entry, 'must be a link', 'Export again.')
    const [id, weight] = entry as readonly unknown[]
    const range = { min: tuning.minLinkWeight, max: 1 }
    return [requiredString(id, field, tuning.maxIdLength), needed({ weight }, 'weight', range, field)] as const
  })
  let last: string | null = null
  for (const [id] of links) {
    if (compareCodePoints(id, own) >= 0 || (last !== null && compareCodePoints(last, id) >= 0))
      throw damaged('links are not in order')
    last = id
  }
  return links
}

function parsePredictions(input: unknown): readonly PortablePrediction[] {
  const predictions = parseList(input, 'predictions', maxHistory, (entry, field) => {
    const given = parseObject(entry, field, fields('createdAt', 'expected', 'actual', 'error', 'resolvedAt'))
    const resolvedAt = parseTimestamp(given, 'resolvedAt', field)
    // Values of opposite signs differ by at most 2 (docs/spec.md#predictions).
    const error = optionalNumber(given, 'error', { min: 0, max: 2 }, field)
    const actual = given['actual'] == null ? null : spelledPrediction(given['actual'], `${field}.actual`)
    if ((resolvedAt === null) !== (error === null) || (resolvedAt === null && actual !== null))
      throw damaged('a prediction is half resolved')
    return {
      createdAt: needed(given, 'createdAt', { min: -tuning.maxTimestampMs, max: tuning.maxTimestampMs }, field),
      expected: spelledPrediction(given['expected'], `${field}.expected`),
      actual,
      error,
      resolvedAt,
    }
  })
  if (predictions.some(({ createdAt }, i) => i > 0 && createdAt <= (predictions[i - 1]?.createdAt ?? 0)))
    throw damaged('predictions are not in order')
  if (predictions.filter(({ resolvedAt }) => resolvedAt === null).length > 1)
    throw damaged('a record has two open predictions')
  return predictions
}

function spelledPrediction(text: unknown, field: string): string {
  return canonicalJson(parsePrediction(parseSpelled(text, field), field))
}

function parseProposals(input: unknown): readonly PortableProposal[] {
  const proposals = parseList(input, 'proposals', maxHistory, (entry, field) => {
    const given = parseObject(entry, field, fields('scope', 'createdAt', 'reason'))
    return {
      scope: canonicalJson(parseScope(parseSpelled(given['scope'], `${field}.scope`), `${field}.scope`)),
      createdAt: needed(given, 'createdAt', { min: -tuning.maxTimestampMs, max: tuning.maxTimestampMs }, field),
      reason: requiredString(given['reason'], `${field}.reason`, tuning.maxTagLength),
    }
  })
  if (proposals.some(({ scope }, i) => i > 0 && compareCodePoints(proposals[i - 1]?.scope ?? '', scope) >= 0))
    throw damaged('proposals are not in order')
  return proposals
}

function parseSpelled(text: unknown, field: string): unknown {
  try {
    return JSON.parse(text as string)
  } catch {
    throw refuse(field, text, 'must be JSON', 'Export again.')
  }
}

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

function needed(given: Given, name: string, bounds: Parameters<typeof optionalNumber>[2], at: string): number {
  const value = optionalNumber(given, name, bounds, at)
  if (value === null) throw refuse(`${at}.${name}`, undefined, 'is required', 'Export again.')
  return value
}
