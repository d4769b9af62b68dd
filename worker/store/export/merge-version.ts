/**
 * Merges an imported version of a record with the stored one of the same life, field by field. Vectors stay with the texts that they were made of.
 */
import { pendingVectors } from '../../../src/core/ingest/plan-write.ts'
import { type Content, contentOf, cycleStartsOf, recordFrom } from '../../../src/core/merge/content.ts'
import {
  type FieldStamps,
  portableFieldStamps,
  stampOfField,
  vectorsName,
} from '../../../src/core/merge/field-stamps.ts'
import { mergeContent, type Side } from '../../../src/core/merge/merge-content.ts'
import { portableStamp } from '../../../src/core/merge/portable-stamp.ts'
import { compareStamps } from '../../../src/core/merge/stamp.ts'
import { contentFields, type RecordInput } from '../../../src/core/model/record.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { contentHash } from '../../../src/core/text/hash/content-hash.ts'
import { parseBlock, type PortableBlock, parseVectorBytes, withStarts } from '../../export-format/block.ts'
import { compact } from '../../export-format/compact.ts'
import type { StagedRecord } from '../../export-format/staging.ts'
import type { Database } from '../../sqlite/database.ts'
import type { ImportConflict } from '../port/transfer.ts'
import { canonicalBlock, readBlock } from '../rows/read-block.ts'
import { fieldsOf, stampOf, type StoredVersion } from './stored-version.ts'

export interface MergedVersion {
  /** The version to write; null: the stored one stays. */
  readonly written: StagedRecord | null
  /** What both changed without knowledge of each other. */
  readonly conflict: ImportConflict | null
}

/** To be called before the import writes the record. */
export function mergeVersion(database: Database, staging: StagedRecord, stored: StoredVersion): MergedVersion {
  if (canonicalBlock(database, stored.key) === staging.canonical) return { written: null, conflict: null }
  const mine = readStored(database, stored)
  const { content, stamps, isFromB, conflict } = mergeContent(sideOf(mine), sideOf(staging))
  const found =
    conflict &&
    ({
      mine: plain(conflict.a, mine),
      theirs: plain(conflict.b, mine),
      kept: conflict.kept === null ? 'both' : conflict.kept === 'a' ? 'mine' : 'theirs',
    } as const)
  const written = combined(mine, staging, content, stamps)
  if (written.canonical === mine.canonical) return { written: null, conflict: found }
  if (written.canonical === staging.canonical) return { written: staging, conflict: found }
  const adapted = (staging.adapted ?? []).filter(isFromB)
  if (adapted.length === 0) return { written, conflict: found }
  const isNewText = contentFields.some((name) => adapted.includes(name))
  return { written: { ...written, adapted: [...adapted, ...(isNewText ? [vectorsName] : [])] }, conflict: found }
}

function readStored(database: Database, { key }: StoredVersion): StagedRecord {
  const { block, vectors } = readBlock(database, key)!
  const parsed = parseBlock(block)
  return { ...parsed, chunks: parsed.vectors === null ? [] : parseVectorBytes(parsed.vectors, vectors) }
}

function sideOf(version: StagedRecord): Side {
  const { after, record, cycleStarts } = version
  const content = contentOf(record, withStarts(cycleStarts).cycleStarts)
  return { stamp: stampOf(version), after, content, stamps: fieldsOf(version) }
}

function combined(mine: StagedRecord, theirs: StagedRecord, content: Content, stamps: FieldStamps): StagedRecord {
  const last = compareVersions(mine, theirs) >= 0 ? mine : theirs
  const fields = recordFrom(content)
  const hash = contentHash(fields)
  const source = sourceOfVectors([mine, theirs], hash)
  const ownStamps = portableFieldStamps(stamps, stampOf(last))
  const starts = cycleStartsOf(content)
  const block: PortableBlock = {
    record: { ...inputFrom(fields), id: mine.record.id, updatedAt: last.record.updatedAt, contentHash: hash },
    ...(mine.life === 0 ? {} : { life: mine.life }),
    ...(last.stamp === null ? {} : { stamp: portableStamp(last.stamp) }),
    ...(last.changedAt === null ? {} : { changedAt: last.changedAt }),
    ...(ownStamps === null ? {} : { fields: ownStamps }),
    ...(starts.length === 0 ? {} : { cycleStarts: starts }),
    ...(source?.vectors ? { vectors: source.vectors } : {}),
  }
  const isPending = source === undefined && [mine, theirs].some(({ vectors }) => vectors !== null)
  const version = { ...parseBlock(block), chunks: source?.chunks ?? [] }
  return isPending ? { ...version, vectorsHash: pendingVectors } : version
}

/** Its times count. Of one version, the later confirmation. */
function compareVersions(a: StagedRecord, b: StagedRecord): number {
  return (
    compareStamps(stampOf(a), stampOf(b)) ||
    a.record.updatedAt - b.record.updatedAt ||
    (a.changedAt ?? a.record.updatedAt) - (b.changedAt ?? b.record.updatedAt)
  )
}

/** Undefined: the merged text is that of neither. Of the same text: what was set last, then any order that is the same on all devices. */
function sourceOfVectors(versions: readonly StagedRecord[], hash: string): StagedRecord | undefined {
  const compare = (a: StagedRecord, b: StagedRecord) =>
    compareStamps(stampOfField(fieldsOf(a), vectorsName), stampOfField(fieldsOf(b), vectorsName)) ||
    compareCodePoints(canonicalJson([a.vectors, a.chunks]), canonicalJson([b.vectors, b.chunks]))
  return versions
    .filter(({ record }) => record.contentHash === hash)
    .sort(compare)
    .at(-1)
}

/** As an export has the caller's fields. */
function inputFrom(fields: RecordInput): RecordInput {
  return compact({ ...fields, files: (fields.files ?? []).map((file) => compact(file)) })
}

function plain(content: Content, { record: { id } }: StagedRecord): RecordInput {
  return { ...inputFrom(recordFrom(content)), id }
}
