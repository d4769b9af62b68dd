/**
 * Keeps FTS5 from seeking by what is no longer so. A list of records that runs over many pages has an index of those pages, which a flag at
 * the page where its word stands tells of. With `secure-delete`, SQLite 3.54.1 deletes from the list and leaves index and flag as they
 * were. Once the list's end is gone, whatever seeks in it runs on into the list of the next word; once all of it is gone, the word that stood
 * before it inherits the index, and seeking finds nothing. Phrases then lose and gain records, and what is deleted later stays in
 * the list (law W3). The flag of a list that lost its end is taken down here: then FTS5 reads on instead of seeking.
 */
import { all, type Database, first } from './database.ts'

/**
 * Texts deleted in one transaction before flags are looked at: FTS5 empties its memory by itself when that holds a megabyte, and what it then
 * deletes must not be looked up by a stale one.
 */
export const deletedAtOnce = 128

/** Call inside a transaction that deleted text. Returns how many flags were taken down. */
export function dropStaleDoclistIndexes(database: Database): number {
  // What was deleted waits in memory until then.
  database.execute(`INSERT INTO record_fts (record_fts) VALUES ('flush')`)
  const stale = flaggedPages(database).filter((flagged) => !hasItsEnd(database, flagged))
  if (stale.length === 0) return 0
  database.undefended(() => {
    for (const { segment, page } of stale)
      database.execute(`UPDATE record_fts_idx SET pgno = pgno - 1 WHERE segid = ? AND pgno = ?`, [
        segment,
        2 * page + 1,
      ])
  })
  return stale.length
}

interface Flagged {
  readonly segment: number
  readonly page: number
  /** The next page on which a word stands; null for none. */
  readonly next: number | null
}

function flaggedPages(database: Database): readonly Flagged[] {
  return all(
    database,
    `SELECT segid, pgno / 2, (SELECT n.pgno / 2 FROM record_fts_idx n WHERE n.segid = f.segid AND n.term > f.term ORDER BY n.term LIMIT 1)
      FROM record_fts_idx f WHERE pgno & 1`,
    [],
    (row) => ({ segment: row.number(0), page: row.number(1), next: row.numberOrNull(2) }),
  )
}

/**
 * Whether the list still comes up to the page where the next word stands, or to the end of the segment. A leaf begins with two bytes for where
 * the first record id stands that belongs to a word of an earlier page, 0 for none (SQLite, ext/fts5/fts5_index.c).
 */
function hasItsEnd(database: Database, { segment, page, next }: Flagged): boolean {
  const end = first(
    database,
    `SELECT id - (?1 << 37), substr(block, 1, 2) FROM record_fts_data
      WHERE id BETWEEN (?1 << 37) + ?2 AND (?1 << 37) + ?3 ORDER BY id DESC LIMIT 1`,
    [segment, page + 1, next ?? mostPages],
    (row) => ({ page: row.number(0), isContinued: row.bytesInPlace(1).some((byte) => byte !== 0) }),
  )
  return end?.isContinued === true && (next === null || end.page === next)
}

/** Leaves of a segment are numbered in 31 bits. */
const mostPages = 2_147_483_647
