/**
 * Migration 11: words are found by their parts (`useEffect` by `effect`), and folded letters by each other in every store. A part depends on the
 * capitals of a text, so its row has the number of records that hold it, like a word of the vocabulary; null: the row follows from the
 * vocabulary alone.
 */
import type { Migration } from './migration.ts'

export const parts: Migration = {
  version: 11,
  statements: () => [`ALTER TABLE forms ADD COLUMN records INTEGER`, `DELETE FROM forms WHERE key LIKE ' %'`],
}
