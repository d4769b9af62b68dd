/**
 * Migration 5: what browsing needs. Metadata values get a column with their own type, by which ranges are compared, and each order of
 * `list` gets an index that ends in the id.
 */
import type { Migration } from './migration.ts'

export const browsing: Migration = {
  version: 5,
  statements: () => [
    // Without a type, so that SQLite converts nothing.
    `ALTER TABLE metadata_values ADD COLUMN plain`,
    `CREATE INDEX metadata_values_plain ON metadata_values (name, plain, key) WHERE plain IS NOT NULL`,
    `DROP INDEX records_created`,
    `CREATE INDEX records_created ON records (created_at, id)`,
    `CREATE INDEX records_occurred ON records (occurred_at, id)`,
    `CREATE INDEX records_title ON records (title COLLATE NOCASE, title, id)`,
  ],
}
