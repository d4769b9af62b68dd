/**
 * Reads what the derived tables in memory need of the records that a transaction added. It reads inside the transaction, in steps:
 * after the commit memory must be updated in one piece, without another read.
 */

import { costs, createPace, type Steps } from '../../scheduling/steps.ts'
import type { Database } from '../../sqlite/database.ts'
import type { Committed } from '../port/committed.ts'

export interface AddedRow {
  readonly key: number
  /** UTF-8. */
  readonly id: Uint8Array
  readonly contentHash: string
  /** Whether another record has the same content hash. */
  readonly isRepeated: boolean
  readonly vectorsHash: string | null
  /** FTS5's row of token counts; null if the text has none. */
  readonly sizes: Uint8Array | null
  /** The borders of its passages, as in the table; null if it has one. */
  readonly passages: Uint8Array | null
}

export function* readAddedRows(database: Database, added: Committed['added']): Steps<readonly AddedRow[]> {
  const rows: AddedRow[] = []
  const pace = createPace()
  for (const { key } of added) {
    if (pace.isDue(costs.log)) yield added.length
    database.each(addedSql, [key], (row) => {
      const sizes = row.bytes(4)
      const passages = row.bytes(5)
      rows.push({
        key,
        id: row.bytes(0),
        contentHash: row.text(1),
        isRepeated: row.number(2) === 1,
        vectorsHash: row.textOrNull(3),
        sizes: sizes.length === 0 ? null : sizes,
        passages: passages.length === 0 ? null : passages,
      })
    })
  }
  return rows
}

const addedSql = `SELECT id, content_hash,
  EXISTS (SELECT 1 FROM records AS other WHERE other.content_hash = records.content_hash AND other.key <> records.key),
  vectors_hash, (SELECT sz FROM record_fts_docsize WHERE record_fts_docsize.id = records.key),
  (SELECT borders FROM passages WHERE passages.key = records.key)
  FROM records WHERE key = ?`
