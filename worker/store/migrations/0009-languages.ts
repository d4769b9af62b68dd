/**
 * Migration 9: the language of a record, where it names one, and the word forms of the store's languages: each word of the vocabulary
 * under the keys that its spelling has in them. Forms are derived from the vocabulary, and not exported.
 */
import type { Migration } from './migration.ts'

export const languages: Migration = {
  version: 9,
  statements: () => [
    `ALTER TABLE records ADD COLUMN language TEXT`,
    // Also covers reading all languages, which would otherwise read past every text.
    `CREATE INDEX records_language ON records (language) WHERE language IS NOT NULL`,
    `CREATE TABLE forms (key TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (key, word)) WITHOUT ROWID`,
  ],
}
