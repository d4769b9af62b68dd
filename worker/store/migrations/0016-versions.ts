/**
 * Migration 16: earlier versions of records, each until the time of the write that replaced it; without content: the record did not exist.
 * Written only by stores with `history`, and not exported. `version_mentions` names the other records that a version speaks of.
 */
import type { Migration } from './migration.ts'

export const versions: Migration = {
  version: 16,
  statements: () => [
    `CREATE TABLE versions (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, until_at NUMERIC NOT NULL,
      until_revision INTEGER NOT NULL, content BLOB)`,
    `CREATE INDEX versions_id ON versions (id, seq)`,
    `CREATE INDEX versions_until ON versions (until_at, seq)`,
    `CREATE TABLE version_mentions (id TEXT NOT NULL, seq INTEGER NOT NULL REFERENCES versions ON DELETE CASCADE,
      PRIMARY KEY (id, seq)) WITHOUT ROWID`,
    `CREATE INDEX version_mentions_seq ON version_mentions (seq)`,
  ],
}
