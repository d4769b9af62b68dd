/**
 * Migration 15: the passages of long bodies, by which their words count: a row for each record with several. Derived from the records, and not
 * exported.
 */
import type { Migration } from './migration.ts'

export const passages: Migration = {
  version: 15,
  statements: () => [
    `CREATE TABLE passages (key INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, borders BLOB NOT NULL)`,
  ],
}
