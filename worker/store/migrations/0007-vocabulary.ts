/**
 * Migration 7: the words of all texts as they are written, with the number of records that hold each. Derived from the records, and
 * not exported. Triggers call `note_words`; `rows/vocabulary-rows.ts` writes the counts before each commit.
 */
import type { Migration } from './migration.ts'

/** The texts whose words count: those that the text index holds. */
export const textColumns = ['title', 'summary', 'body', 'instruction', 'command', 'paths', 'terms'] as const

export const vocabulary: Migration = {
  version: 7,
  statements: () => [
    `CREATE TABLE vocabulary (word TEXT PRIMARY KEY, records INTEGER NOT NULL) WITHOUT ROWID`,
    `CREATE TRIGGER words_inserted AFTER INSERT ON records BEGIN SELECT note_words(1, ${of('new')}); END`,
    wordsDeletedTrigger(),
    `CREATE TRIGGER words_changed AFTER UPDATE OF ${textColumns.join(', ')} ON records BEGIN
      SELECT note_words(-1, ${of('old')}); SELECT note_words(1, ${of('new')}); END`,
  ],
}

/** SQLite stores this statement verbatim in the schema. */
export function wordsDeletedTrigger(): string {
  return `CREATE TRIGGER words_deleted BEFORE DELETE ON records BEGIN SELECT note_words(-1, ${of('old')}); END`
}

function of(row: 'new' | 'old'): string {
  return textColumns.map((column) => `${row}.${column}`).join(', ')
}
