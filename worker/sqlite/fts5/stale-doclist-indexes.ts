/**
 * Works around stale doclist indexes in FTS5. A posting list (doclist) of many pages has an index of those pages; a flag at the page
 * of its word says so. With `secure-delete`, SQLite 3.54.1 deletes from the list but leaves index and flag unchanged. If the end of the
 * list is deleted, a seek runs on into the list of the next word. If the whole list is deleted, the word before it inherits the index,
 * and seeks find nothing. Phrases then lose and gain records, and later deletions stay in the list [W3].
 * This file clears the flag of truncated lists; then FTS5 reads sequentially instead of seeking.
 */
import type { Database } from '../database.ts'

/**
 * Deleted texts after which flags are checked within a transaction. FTS5 flushes its memory when it reaches a megabyte, and the
 * deletions of a flush must not use a stale index.
 */
export const deletedAtOnce = 128

export function dropStaleIndexes(database: Database): void {
  // FTS5 keeps deletions in memory until a flush.
  database.execute(`INSERT INTO record_fts (record_fts) VALUES ('flush')`)
  database.undefended(() => database.execute(dropStale))
}

/**
 * A list is complete if it continues on the page of the next word, or on the last page of its segment. A leaf page has an id above
 * segid × 2^37. Its first two bytes are the offset of the first record id that belongs to a word of an earlier page; 0 if there is none
 * (SQLite, ext/fts5/fts5_index.c). The flag is the lowest bit of `pgno`.
 */
const dropStale = `UPDATE record_fts_idx AS list SET pgno = pgno - 1 WHERE pgno & 1 AND coalesce(
  (SELECT substr(block, 1, 2) FROM record_fts_data WHERE id = coalesce(
    (segid << 37) + (SELECT pgno / 2 FROM record_fts_idx WHERE segid = list.segid AND term > list.term ORDER BY term LIMIT 1),
    (SELECT max(id) FROM record_fts_data WHERE id > (segid << 37) + list.pgno / 2 AND id < (segid << 37) + (1 << 31)))),
  x'0000') = x'0000'`
