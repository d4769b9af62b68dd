/**
 * Merges the segments of the text index. FTS5 adds at least one segment per transaction, and each word of a question is looked up in
 * every segment.
 */
import type { Steps } from '../../scheduling/steps.ts'
import { contradictory } from '../../scheduling/stored-order.ts'
import { type Database, first } from '../database.ts'

/** The number of segments, and of their pages. */
export function textIndexSize(database: Database): { readonly segments: number; readonly pages: number } {
  const sql = `SELECT count(DISTINCT segid), count(*) FROM record_fts_idx`
  return first(database, sql, [], (row) => ({ segments: row.number(0), pages: row.number(1) }))!
}

/**
 * To be called at the end of each transaction, with the number of texts that it added. Merges when the newer segments hold enough texts,
 * if each holds about as many as this transaction added.
 */
export function* mergeAfter(database: Database, texts: number): Steps<void> {
  // Each segment has at least one page, so this many texts never suffice.
  if (texts <= textsPerPage) return
  const { segments, pages } = textIndexSize(database)
  if ((segments - 1) * texts > pages * textsPerPage) yield* mergeSegments(database)
}

/** Adding so many texts takes about ten times as long as merging a page in OPFS. */
const textsPerPage = 20

/** Merges all segments into one. It leaves out what is marked as deleted. */
export function* mergeSegments(database: Database): Steps<void> {
  // A negative number makes all segments part of one merge.
  // A step merges many pages, so that more steps than pages are a sign of damage.
  let left = first(database, `PRAGMA page_count`, [], (row) => row.number(0))!
  for (let amount = -pagesAtOnce; ; amount = pagesAtOnce) {
    if (left-- === 0) throw contradictory()
    const before = changesOf(database)
    database.execute(`INSERT INTO record_fts (record_fts, rank) VALUES ('merge', ?)`, [amount])
    // One change is the command itself (https://sqlite.org/fts5.html#the_merge_command).
    if (changesOf(database) - before < 2) return
    yield 0
  }
}

/** Pages merged in a step, about 8 ms on a laptop of 2020. */
const pagesAtOnce = 64

function changesOf(database: Database): number {
  return first(database, `SELECT total_changes()`, [], (row) => row.number(0))!
}
