/**
 * Keeps FTS5 from seeking by what is no longer so. A list of records that runs over many pages has an index of those
 * pages, which a flag at the page where its word stands tells of. With `secure-delete`, SQLite 3.54.1 deletes from the
 * list and leaves index and flag as they were. Once the list's end is gone, whatever seeks in it runs on into the list
 * of the next word; once all of it is gone, the word that stood before it inherits the index, and seeking finds nothing.
 * Phrases then lose and gain records, and what is deleted later stays in the list [W3]. The flag of a list that lost
 * its end is taken down here: then FTS5 reads on instead of seeking.
 */
import type { Database } from '../database.ts'

export interface TextDeletions {
  /** At the beginning of each transaction: one before may have been undone. */
  begin(): void
  /** Told of each text that left the index. */
  deleted(): void
  /** At the end of each transaction. */
  settle(): void
}

/**
 * Texts deleted before flags are looked at, in a transaction that goes on: FTS5 empties its memory by itself when that
 * holds a megabyte, and what it then deletes must not be looked up by a stale index.
 */
const deletedAtOnce = 128

export function watchTextDeletions(database: Database): TextDeletions {
  let count = 0
  return {
    begin() {
      count = 0
    },
    deleted() {
      if (++count % deletedAtOnce === 0) dropStaleIndexes(database)
    },
    settle() {
      if (count > 0) dropStaleIndexes(database)
    },
  }
}

function dropStaleIndexes(database: Database): void {
  // What was deleted waits in memory until then.
  database.execute(`INSERT INTO record_fts (record_fts) VALUES ('flush')`)
  database.undefended(() => database.execute(dropStale))
}

/**
 * A list has its end if it still comes up to the page where the next word stands, or to the last page of its segment.
 * A leaf, numbered from segid × 2^37, begins with two bytes for where the first record id stands that belongs to a word
 * of an earlier page, 0 for none (SQLite, ext/fts5/fts5_index.c). The flag is the lowest bit of `pgno`.
 */
const dropStale = `UPDATE record_fts_idx AS list SET pgno = pgno - 1 WHERE pgno & 1 AND coalesce(
  (SELECT substr(block, 1, 2) FROM record_fts_data WHERE id = coalesce(
    (segid << 37) + (SELECT pgno / 2 FROM record_fts_idx WHERE segid = list.segid AND term > list.term ORDER BY term LIMIT 1),
    (SELECT max(id) FROM record_fts_data WHERE id > (segid << 37) + list.pgno / 2 AND id < (segid << 37) + (1 << 31)))),
  x'0000') = x'0000'`
