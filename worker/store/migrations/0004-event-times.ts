/** Migration 4: the times that records speak of, where these are not their creation. Derived from the records, and not exported. */
import type { Migration } from './migration.ts'

export const eventTimes: Migration = {
  version: 4,
  statements: () => [
    `CREATE TABLE event_times (key INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE,
      time_from NUMERIC NOT NULL, time_before NUMERIC NOT NULL)`,
  ],
}
