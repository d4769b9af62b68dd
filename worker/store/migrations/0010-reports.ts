/**
 * Migration 10: what merging needs to know about learned state. It is kept as a set of reports, from which `learned`, `accesses` and amplitudes
 * are derived; links are derived from the states that devices gave them. Predictions, proposals and states of files have stamps.
 */
import type { Migration } from './migration.ts'

export const learnedReports: Migration = {
  version: 10,
  statements: () => [
    // When the content changed last; null: at updated_at. A repeated put moves only updated_at.
    `ALTER TABLE records ADD COLUMN changed_at NUMERIC`,
    // JSON: by device the latest stamp among the versions that this one replaced, if another device wrote any.
    `ALTER TABLE records ADD COLUMN after TEXT`,
    `CREATE TABLE reports (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, device TEXT NOT NULL,
      stamp_at INTEGER NOT NULL, stamp_count INTEGER NOT NULL, mark TEXT, effect TEXT NOT NULL,
      PRIMARY KEY (key, device, stamp_at, stamp_count)) WITHOUT ROWID`,
    `CREATE TABLE report_summaries (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, device TEXT NOT NULL,
      summary TEXT NOT NULL, PRIMARY KEY (key, device)) WITHOUT ROWID`,
    // The amplitude and the stamp from which outcomes count; null: as given, and all of them.
    `ALTER TABLE cycles ADD COLUMN start_amplitude NUMERIC`,
    `ALTER TABLE cycles ADD COLUMN start_stamp TEXT`,
    // key: the record with the smaller id. weight and stamp: as it was last set; null: it was only strengthened.
    `CREATE TABLE link_states (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE,
      other INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE,
      weight NUMERIC, stamp TEXT, added TEXT NOT NULL, PRIMARY KEY (key, other)) WITHOUT ROWID`,
    `CREATE INDEX link_states_other ON link_states (other)`,
    `INSERT INTO link_states SELECT l.key, l.other, l.weight, NULL, '[]' FROM links l
      JOIN records a ON a.key = l.key JOIN records b ON b.key = l.other WHERE a.id < b.id`,
    `ALTER TABLE predictions RENAME TO unstamped`,
    `CREATE TABLE predictions (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE,
      made_at INTEGER NOT NULL, made_count INTEGER NOT NULL, made_device TEXT NOT NULL, created_at NUMERIC NOT NULL,
      expected TEXT NOT NULL, actual TEXT, error NUMERIC, resolved_at NUMERIC, resolved_by TEXT,
      PRIMARY KEY (key, made_at, made_count, made_device)) WITHOUT ROWID`,
    // Null: the stamp follows from created_at.
    `ALTER TABLE proposals ADD COLUMN stamp TEXT`,
    `ALTER TABLE proposals ADD COLUMN ended INTEGER NOT NULL DEFAULT 0`,
    // Null: the stamp follows from seen_at.
    `ALTER TABLE file_states ADD COLUMN stamp TEXT`,
  ],
}
