/**
 * Migration 13: a record has several times of its own: those that its texts name, of which kind each is, and rules of times that repeat. Days that
 * texts name have no zone.
 */
import type { Migration } from './migration.ts'

export const repeatedTimes: Migration = {
  version: 13,
  statements: () => [
    `DROP TABLE event_times`,
    `CREATE TABLE event_times (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE,
      place INTEGER NOT NULL, kind INTEGER NOT NULL, time_from NUMERIC NOT NULL, time_before NUMERIC NOT NULL, rule TEXT,
      PRIMARY KEY (key, place)) WITHOUT ROWID`,
  ],
}
