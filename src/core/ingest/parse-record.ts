/**
 * Validates records: from unknown input to a complete `ParsedRecord`, or one typed error. Rejects unknown fields by name and
 * converts no values. Also computes everything derived from the text: content hash, id, extracted paths and terms, and whether
 * the index form differs from the text.
 */
import { parseLanguage } from '../model/languages.ts'
import type { RecordInput, RecordStatus, StoredRecord, VectorChunk } from '../model/record.ts'
import { contentFields, recordStatuses } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'
import { extractTerms } from '../text/extract/extract.ts'
import { canonicalJson } from '../text/hash/canonical.ts'
import { contentHash } from '../text/hash/content-hash.ts'
import { sha256Hex } from '../text/hash/sha256.ts'
import { needsIndexForm } from '../text/tokenise/index-form.ts'
import {
  optionalNumber,
  optionalString,
  parseMetadata,
  parseObject,
  parseTimestamp,
  refuse,
  requiredString,
  utf8Length,
} from './parse-fields.ts'
import {
  mergeFiles,
  mergeTerms,
  parseAnchors,
  parseCycles,
  parseFiles,
  parseRelations,
  parseTags,
  parseTerms,
} from './parse-lists.ts'
import { parseReasons, parseRisks } from './parse-rows.ts'
import { parseVectors } from './parse-vectors.ts'

/** A valid record with all fields. Times stay open, because they depend on the stored record. */
export interface ParsedRecord
  extends Omit<StoredRecord, 'risks' | 'confidence' | 'createdAt' | 'updatedAt' | 'language'> {
  readonly risks: readonly { readonly flag: string }[]
  /** Initial confidence; null keeps the learned one. */
  readonly confidence: number | null
  readonly createdAt: number | null
  readonly updatedAt: number | null
  readonly language: string | null
  /** Digest of all input fields except times and vectors: equal digests mean an identical put. */
  readonly fieldsHash: string
  /** Digest of the seven text columns. If it changes, the record gets a new key. */
  readonly textHash: string
  /** The vectors of the input; null: the embedder computes them now; `pending`: the embedder computes them later. */
  readonly chunks: readonly VectorChunk[] | 'pending' | null
  /** The joined references, as two FTS5 columns. */
  readonly pathsText: string | null
  readonly termsText: string | null
  /** Whether a column needs the bigram form (docs/spec/text.md#text). */
  readonly indexed: boolean
}

/** The fields that `fieldsHash` covers unchanged. The order must never change, because the hashes are stored. */
const hashedFields = [
  'kind',
  'project',
  'topic',
  'agent',
  'bank',
  'session',
  'exitCode',
  'source',
  'authority',
  'tags',
  'files',
  'terms',
  'anchors',
  'reasons',
  'risks',
  'relations',
  'status',
  'supersededBy',
  'validFrom',
  'validUntil',
  'expiresAt',
  'importance',
  'confidence',
  'cycles',
  'pressureRate',
  'authorityTier',
  'profile',
  'writeScore',
  'position',
  'occurredAt',
] as const

const knownFields: ReadonlySet<string> = new Set<keyof RecordInput>([
  'id',
  ...hashedFields,
  ...contentFields,
  'language',
  'metadata',
  'createdAt',
  'updatedAt',
  'contentHash',
  'vectors',
])

/** Parses one record or throws a `RecallError`. Does not change `input`. */
export function parseRecord(input: unknown): ParsedRecord {
  const given = parseObject(input, 'record', knownFields, 'INVALID_RECORD', {
    place: 'record',
    instead: 'Give an object such as { id, body }.',
  })
  const text = (name: string) => parseText(given, name)
  const scope = (name: string) => optionalString(given, name, { maxLength: tuning.maxTagLength * 4 })
  const content = {
    title: text('title'),
    summary: text('summary'),
    body: text('body'),
    instruction: text('instruction'),
    command: text('command'),
  }
  if (!contentFields.some((name) => content[name] !== null && /\S/u.test(content[name]))) {
    throw refuse(
      'body',
      undefined,
      'must have text, or another text field must have it',
      'Give at least one of title, summary, body, instruction, command with text.',
    )
  }
  const hash = contentHash(content)
  const extracted = extractTerms(contentFields.map((name) => content[name] ?? '').join('\n'))
  const files = mergeFiles(parseFiles(given), extracted)
  const terms = mergeTerms(parseTerms(given), extracted)
  const pathsText = files.length === 0 ? null : files.map((file) => file.path).join('\n')
  const termsText = terms.length === 0 ? null : terms.map((entry) => entry.term).join('\n')
  const scopes = {
    project: scope('project'),
    topic: scope('topic'),
    agent: scope('agent'),
    bank: scope('bank'),
    session: scope('session'),
  }
  // One literal, because spreads of so many fields take longer than all hashing.
  const record = {
    id: parseId(given) ?? derivedId(hash, scopes),
    kind: optionalString(given, 'kind', { maxLength: tuning.maxTagLength, blank: 'refuse' }) ?? 'note',
    project: scopes.project,
    topic: scopes.topic,
    agent: scopes.agent,
    bank: scopes.bank,
    session: scopes.session,
    title: content.title,
    summary: content.summary,
    body: content.body,
    instruction: content.instruction,
    command: content.command,
    exitCode: optionalNumber(given, 'exitCode', { integer: true }),
    source: scope('source'),
    authority: scope('authority'),
    tags: parseTags(given),
    files,
    terms,
    anchors: parseAnchors(given),
    reasons: parseReasons(given.reasons),
    risks: parseRisks(given.risks),
    relations: parseRelations(given),
    status: parseStatus(given),
    supersededBy: optionalString(given, 'supersededBy', { maxLength: tuning.maxIdLength }),
    validFrom: parseTimestamp(given, 'validFrom'),
    validUntil: parseTimestamp(given, 'validUntil'),
    expiresAt: parseTimestamp(given, 'expiresAt'),
    importance: optionalNumber(given, 'importance', { min: 0, max: tuning.maxImportance }) ?? 1,
    confidence: optionalNumber(given, 'confidence', { min: 0, max: 1 }),
    cycles: parseCycles(given),
    pressureRate: optionalNumber(given, 'pressureRate', { min: 0, max: tuning.maxImportance }) ?? 0,
    authorityTier: scope('authorityTier'),
    profile: scope('profile'),
    writeScore: optionalNumber(given, 'writeScore', { min: 0, max: 1 }),
    position: optionalNumber(given, 'position', { integer: true }),
    occurredAt: parseTimestamp(given, 'occurredAt'),
    language: given.language == null ? null : parseLanguage(given.language, 'language', 'INVALID_RECORD'),
    metadata: parseMetadata(given.metadata),
    createdAt: parseTimestamp(given, 'createdAt'),
    updatedAt: parseTimestamp(given, 'updatedAt'),
    contentHash: parseContentHash(given, hash),
    fieldsHash: '',
    textHash: sha256Hex(JSON.stringify([hash, pathsText, termsText])).slice(0, 32),
    chunks: chunksOf(given.vectors),
    pathsText,
    termsText,
    indexed: [...contentFields.map((name) => content[name]), pathsText, termsText].some(
      (value) => value !== null && needsIndexForm(value),
    ),
  }
  record.fieldsHash = fieldsHash(hash, record)
  return record
}

function chunksOf(vectors: unknown): ParsedRecord['chunks'] {
  if (vectors === undefined) return null
  return vectors === 'pending' ? vectors : parseVectors(vectors)
}

/** The record as if the input had this authority tier. */
export function withTier(record: ParsedRecord, authorityTier: string | null): ParsedRecord {
  if (authorityTier === record.authorityTier) return record
  const changed = { ...record, authorityTier }
  return { ...changed, fieldsHash: fieldsHash(record.contentHash, changed) }
}

/** The content hash represents the content, the canonical JSON represents the metadata. */
function fieldsHash(hash: string, record: Omit<ParsedRecord, 'fieldsHash'>): string {
  const values = hashedFields.map((name) => record[name])
  // A record without a language keeps the hash that earlier releases stored.
  const language = record.language === null ? [] : [record.language]
  return sha256Hex(JSON.stringify([hash, canonicalJson(record.metadata), values, ...language])).slice(0, 32)
}

/** The first 32 hex digits of a hash of content and scope: the same text in another project is another record. */
function derivedId(
  hash: string,
  scope: Pick<ParsedRecord, 'project' | 'topic' | 'agent' | 'bank' | 'session'>,
): string {
  return sha256Hex(JSON.stringify([hash, scope.project, scope.topic, scope.agent, scope.bank, scope.session])).slice(
    0,
    32,
  )
}

type Given = Readonly<Record<string, unknown>>

function parseText(given: Given, name: string): string | null {
  const value = optionalString(given, name, { maxLength: Number.POSITIVE_INFINITY })
  const maxBytes = name === 'body' ? tuning.maxBodyBytes : tuning.maxTextBytes
  if (value !== null && value.length * 3 > maxBytes && utf8Length(value) > maxBytes) {
    throw refuse(
      name,
      `${utf8Length(value)} bytes`,
      `must be at most ${maxBytes} bytes of UTF-8`,
      'Split it into several records.',
    )
  }
  return value
}

function parseId(given: Given): string | null {
  if (given.id === undefined) return null
  const id = requiredString(given.id, 'id', tuning.maxIdLength)
  // The returned id must equal the input. Other text is stored as valid UTF-8.
  if (id !== given.id) throw refuse('id', given.id, 'must be well-formed Unicode', 'Remove the lone surrogate.')
  return id
}

function parseContentHash(given: Given, computed: string): string {
  if (given.contentHash === undefined || given.contentHash === null) return computed
  if (given.contentHash !== computed) {
    throw refuse(
      'contentHash',
      given.contentHash,
      `must equal the computed hash ${computed}`,
      'Leave it out, or give the SHA-256 of the JSON of [title, summary, body, instruction, command].',
    )
  }
  return computed
}

function parseStatus(given: Given): RecordStatus {
  if (given.status === undefined) return 'active'
  const status = recordStatuses.find((known) => known === given.status)
  if (status === undefined)
    throw refuse('status', given.status, `must be one of ${recordStatuses.join(', ')}`, 'Use one of these names.')
  return status
}
