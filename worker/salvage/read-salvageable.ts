/**
 * Reads one record of a damaged store as an export has it. Its own row must be complete, its text must match the content hash, and the
 * rows that can exclude it from answers (reasons, risks) must be readable. Other parts that cannot be read are left out and named.
 */
import { pendingVectors } from '../../src/core/ingest/plan-write.ts'
import { vectorsDigest } from '../../src/core/ingest/vectors-digest.ts'
import { RecallError } from '../../src/core/model/errors.ts'
import { type PortableBlock, parseBlock, parseVectorBytes } from '../export-format/block.ts'
import { all, type Database, first } from '../sqlite/database.ts'
import { isDamage } from '../store/integrity/integrity.ts'
import { merging } from '../store/migrations/0006-merge.ts'
import { languages } from '../store/migrations/0009-languages.ts'
import { learnedReports } from '../store/migrations/0010-reports.ts'
import { fieldStamps } from '../store/migrations/0012-fields.ts'
import { readEarlierLearned, readEarlierVersion } from '../store/rows/earlier-blocks.ts'
import {
  type BlockReaders,
  type ReadBlock,
  readBlock,
  readLearnedState,
  readVersion,
} from '../store/rows/read-block.ts'
import { readBareRecord } from '../store/rows/read-records.ts'

export interface Salvageable extends ReadBlock {
  readonly id: string
  /** Parts that could not be read. */
  readonly lost: ReadonlySet<string>
}

/** Tags of a key that the index does not give; null if they cannot be read either way. */
export type TagsAside = (key: number) => readonly string[] | null

/**
 * Returns a record without its links, which depend on the other records, and without contradictions, which are proposals. Null if there is none. Throws an error that `isDamage`
 * accepts if the record cannot be read.
 */
export function readSalvageable(database: Database, key: number, tagsAside: TagsAside): Salvageable | null {
  const unread = new Set(['links'])
  const readers = readersOf(database)
  for (;;) {
    try {
      const read = readBlock(without(database, unread), key, readers)
      if (read === null) return null
      if (unread.has('reasons') || unread.has('risks'))
        throw new RangeError('The reasons and risks of this record cannot be read.')
      const lost = new Set([...unread].map((table) => partOf[table] ?? table))
      lost.delete('links')
      return checked(database, key, withTags(database, key, read, tagsAside, lost), lost)
    } catch (error) {
      if (!(error instanceof UnreadTable)) throw error
      unread.add(error.table)
    }
  }
}

/** By the version that wrote the store. Pairs are left out. */
function readersOf(database: Database): BlockReaders {
  const hasLanguages = versionOf(database) >= languages.version
  const record: BlockReaders['record'] = (bare, key) => readBareRecord(bare, key, hasLanguages)
  const readers = { record, pairs: () => ({}) }
  const fields = versionOf(database) >= fieldStamps.version ? 'fields' : 'NULL'
  const version: BlockReaders['version'] = (read, key) => readVersion(read, key, fields)
  if (hasReports(database)) return { ...readers, version, learned: readLearnedState }
  const earlier = hasVersions(database) ? readEarlierVersion : () => ({})
  return { ...readers, version: earlier, learned: (read, key) => readEarlierLearned(read, key, earlier(read, key)) }
}

/** Whether the store keeps learned state as reports. */
export function hasReports(database: Database): boolean {
  return versionOf(database) >= learnedReports.version
}

/** Whether the store was written or migrated by a version that keeps lives and stamps. Migrating a damaged store could fail. */
export function hasVersions(database: Database): boolean {
  return versionOf(database) >= merging.version
}

function versionOf(database: Database): number {
  return first(database, 'PRAGMA user_version', [], (row) => row.number(0)) ?? 0
}

/** Weights of a record's links, by the key of the other record; null if they cannot be read. */
export function readLinkRows(database: Database, key: number): ReadonlyMap<number, number> | null {
  try {
    const rows = all(database, `SELECT other, weight FROM links WHERE key = ?`, [key], (row) => {
      return [row.number(0), row.number(1)] as const
    })
    return new Map(rows)
  } catch (error) {
    if (isDamage(error)) return null
    throw error
  }
}

class UnreadTable {
  readonly table: string
  constructor(table: string) {
    this.table = table
  }
}

/** The database as if these tables were empty. If another table except `records` is damaged, throws `UnreadTable` with its name. */
function without(database: Database, tables: ReadonlySet<string>): Database {
  return {
    ...database,
    each(sql, bind, visit) {
      const table = /\bFROM (\w+)/.exec(sql)?.[1] ?? ''
      if (tables.has(table)) return
      try {
        database.each(sql, bind, visit)
      } catch (error) {
        if (table === 'records' || !isDamage(error)) throw error
        throw new UnreadTable(table)
      }
    },
  }
}

/** Tables that count as one part with another table. */
const partOf: Readonly<Record<string, string>> = {
  spaces: 'vectors',
  accesses: 'learned',
  reports: 'learned',
  report_summaries: 'learned',
}

function withTags(
  database: Database,
  key: number,
  { block, vectors }: ReadBlock,
  tagsAside: TagsAside,
  lost: Set<string>,
): ReadBlock {
  const tags = readTags(database, key) ?? tagsAside(key)
  if (tags === null) lost.add('tags')
  return tags === null || tags.length === 0
    ? { block, vectors }
    : { block: { ...block, record: { ...block.record, tags } }, vectors }
}

function readTags(database: Database, key: number): readonly string[] | null {
  try {
    return all(database, `SELECT tag FROM tags WHERE key = ? ORDER BY position`, [key], (row) => row.text(0))
  } catch (error) {
    if (isDamage(error)) return null
    throw error
  }
}

/** Runs the validator of imports: what passes can be imported, and its text matches its content hash. */
function checked(database: Database, key: number, read: ReadBlock, lost: Set<string>): Salvageable {
  const { vectors, reports, ...others } = read.block
  // A partly readable learned state is useless.
  const isLearned = reports !== undefined && !lost.has('learned')
  const block: PortableBlock = isLearned ? { ...others, reports } : others
  if (lost.has('vectors') || !areVectorsWhole(database, key, read)) lost.add('vectors')
  else if (vectors !== undefined) return { ...parsedOf({ ...block, vectors }), vectors: read.vectors, lost }
  return { ...parsedOf(block), vectors: new Uint8Array(0), lost }
}

/** Throws a damage error for a record that the validator refuses: no such record was ever stored. */
function parsedOf(block: PortableBlock): Pick<Salvageable, 'block' | 'id'> {
  try {
    return { block, id: parseBlock(block).record.id }
  } catch (error) {
    if (error instanceof RecallError) throw new RangeError(error.message)
    throw error
  }
}

/** Whether the vectors are complete and match the record's digest. */
function areVectorsWhole(database: Database, key: number, { block, vectors }: ReadBlock): boolean {
  const stored = first(database, `SELECT vectors_hash FROM records WHERE key = ?`, [key], (row) => row.text(0)) ?? ''
  if (block.vectors === undefined) return stored === '' || stored === pendingVectors
  try {
    const chunks = parseVectorBytes(block.vectors, vectors)
    const digest = stored.replace(/^\d+:/, '')
    return digest === '' || digest.startsWith('text:') || digest === vectorsDigest(chunks)
  } catch {
    return false
  }
}
