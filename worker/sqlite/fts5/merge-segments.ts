/**
 * Merges the segments of the text index before many texts are deleted. FTS5 looks for each word of a deleted text in every segment, so with
 * one segment a deletion takes a fraction of the time.
 */
import type { Steps } from '../../scheduling/steps.ts'
import { type Database, first } from '../database.ts'

/** `texts`: how many will be deleted in this transaction. Does nothing if that would take less time than merging. */
export function* mergeSegments(database: Database, texts: number): Steps<void> {
  if (texts < fewestTexts) return
  const { segments, pages } = first(database, sizeSql, [], (row) => ({
    segments: row.number(0),
    pages: row.number(1),
  }))!
  if (texts * (segments - 1) < pages * textsPerPage) return
  // A negative number makes all segments part of one merge.
  for (let amount = -pagesAtOnce; ; amount = pagesAtOnce) {
    const before = changesOf(database)
    database.execute(`INSERT INTO record_fts (record_fts, rank) VALUES ('merge', ?)`, [amount])
    // One change is the command itself (https://sqlite.org/fts5.html#the_merge_command).
    if (changesOf(database) - before < 2) return
    yield 0
  }
}

const sizeSql = `SELECT count(DISTINCT segid), count(*) FROM record_fts_idx`

const fewestTexts = 16

/** Merging a page takes as long as looking for the words of this many short texts in one segment. */
const textsPerPage = 4

/** Pages merged in a step, about 8 ms on a laptop of 2020. */
const pagesAtOnce = 64

function changesOf(database: Database): number {
  return first(database, `SELECT total_changes()`, [], (row) => row.number(0))!
}
