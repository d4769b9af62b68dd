/**
 * Migration 6: what merging needs to know about records. Each has a life and the stamp of its version; a forgotten one leaves a tombstone
 * without its id. The store gets a random device id.
 */
import type { Migration } from './migration.ts'

/** SQL. Two stores of one device would give different changes the same stamp. */
export const randomDevice = `lower(hex(randomblob(8)))`

export const merging: Migration = {
  version: 6,
  statements: () => [
    `ALTER TABLE records ADD COLUMN life INTEGER NOT NULL DEFAULT 0`,
    // Null in rows of older versions: their stamp is updated_at, 0 and ''. So no row is rewritten.
    `ALTER TABLE records ADD COLUMN stamp_at INTEGER`,
    `ALTER TABLE records ADD COLUMN stamp_count INTEGER`,
    `ALTER TABLE records ADD COLUMN stamp_device TEXT`,
    `CREATE TABLE tombstones (mark TEXT PRIMARY KEY, life INTEGER NOT NULL,
      stamp_at INTEGER NOT NULL, stamp_count INTEGER NOT NULL, stamp_device TEXT NOT NULL) WITHOUT ROWID`,
    `INSERT INTO settings VALUES ('device', ${randomDevice})`,
  ],
}
