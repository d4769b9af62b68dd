/**
 * Migration 8: pairs of records that seem to contradict each other, until one of them changes or is forgotten; and the standing requests
 * that records state, which are derived from the records and not exported.
 */
import type { Migration } from './migration.ts'

export const chatMemory: Migration = {
  version: 8,
  statements: () => [
    `CREATE TABLE contradictions (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE,
      other INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE,
      created_at NUMERIC NOT NULL, reason TEXT NOT NULL, settled INTEGER NOT NULL, PRIMARY KEY (key, other)) WITHOUT ROWID`,
    `CREATE INDEX contradictions_other ON contradictions (other)`,
    `CREATE TABLE standing (key INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, kind TEXT NOT NULL)`,
  ],
}
