/**
 * One record of a damaged store, as an export has it: its own row must be whole and hold the text that its content hash names, and
 * what keeps it from being shown (reasons, risks) must be there. Of all else a part that cannot be read is left out and named.
 */
import { pendingVectors } from '../../src/core/ingest/plan-write.ts'
import { vectorsDigest } from '../../src/core/ingest/vectors-digest.ts'
import { RecallError } from '../../src/core/model/errors.ts'
import { type PortableBlock, parseBlock, parseVectorBytes } from '../export-format/block.ts'
import { all, type Database, first } from '../sqlite/database.ts'
import { type ReadBlock, readBlock } from '../store/export/read-block.ts'
import { isDamage } from '../store/integrity.ts'
import { readBareRecord } from '../store/rows/read-records.ts'

export interface Salvageable extends ReadBlock {
  readonly id: string
  /** Parts that could not be read. */
  readonly lost: ReadonlySet<string>
}

/** Tags of a key, where they cannot be read in the usual way; null: nor otherwise. */
export type TagsAside = (key: number) => readonly string[] | null

/** Without links, which need to know who else is kept. Null where nothing is stored; throws what `isDamage` knows where it cannot be read. */
export function readSalvageable(database: Database, key: number, tagsAside: TagsAside): Salvageable | null {
  const unread = new Set(['links'])
  for (;;) {
    try {
      const read = readBlock(without(database, unread), key, readBareRecord)
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

/** To whom a record is linked, by key; null: that cannot be read. */
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

/** The database as if these tables were empty; meeting damage in another one but `records` is told by its name. */
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

/** Tables that are a part only together. */
const partOf: Readonly<Record<string, string>> = { spaces: 'vectors', accesses: 'learned' }

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

/** Through the validator of imports: what it lets pass here is let in there, and its text is the one its hash names. */
function checked(database: Database, key: number, read: ReadBlock, lost: Set<string>): Salvageable {
  const { vectors, learned, ...others } = read.block
  // Of half of what was learned nothing follows.
  const isTaught = learned !== undefined && !lost.has('learned')
  const block: PortableBlock = isTaught ? { ...others, learned } : others
  if (lost.has('vectors') || !areVectorsWhole(database, key, read)) lost.add('vectors')
  else if (vectors !== undefined) return { ...parsedOf({ ...block, vectors }), vectors: read.vectors, lost }
  return { ...parsedOf(block), vectors: new Uint8Array(0), lost }
}

/** What the validator refuses is no record that was ever stored. */
function parsedOf(block: PortableBlock): Pick<Salvageable, 'block' | 'id'> {
  try {
    return { block, id: parseBlock(block).record.id }
  } catch (error) {
    if (error instanceof RecallError) throw new RangeError(error.message)
    throw error
  }
}

/** Whether they are there as the record says, and those that were put. */
function areVectorsWhole(database: Database, key: number, { block, vectors }: ReadBlock): boolean {
  const stored = first(database, `SELECT vectors_hash FROM records WHERE key = ?`, [key], (row) => row.text(0)) ?? ''
  if (block.vectors === undefined) return stored === '' || stored === pendingVectors
  try {
    const pieces = parseVectorBytes(block.vectors, vectors)
    const digest = stored.replace(/^\d+:/, '')
    return digest === '' || digest.startsWith('text:') || digest === vectorsDigest(pieces)
  } catch {
    return false
  }
}
