/**
 * Chooses how a connection reads FTS5 posting lists: the bridge (`postings-bridge.ts`) if its feature test passes, plain statements
 * (`postings-plain.ts`) otherwise. Both return the same bytes, and the reader's `mode` says which one it is.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import type { SqliteModule } from '../types.ts'
import { createBridgeReader } from './postings-bridge.ts'
import type { PostingsReader } from './postings-list.ts'
import { createPlainReader } from './postings-plain.ts'
import { bridgeRefusal } from './postings-probe.ts'

export type { LongKeys, PostingList, PostingsReader } from './postings-list.ts'

/**
 * Opens a reader of `table`, a detail=full FTS5 table of the connection's main schema with 32-bit rowids.
 * The first call for a SQLite module runs the bridge's feature test (a few milliseconds).
 * Throws INVALID_ARGUMENT if the table name is not a plain identifier.
 */
export function createPostingsReader(sqlite3: SqliteModule, databasePointer: number, table: string): PostingsReader {
  if (!/^[A-Za-z_]\w*$/.test(table))
    throw recallError('INVALID_ARGUMENT', 'must be a table name', { field: 'table', value: table })
  const refusal = bridgeRefusal(sqlite3)
  return refusal === null
    ? createBridgeReader(sqlite3, databasePointer, table)
    : createPlainReader(sqlite3, databasePointer, table, refusal)
}
