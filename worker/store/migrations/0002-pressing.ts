/** Migration 2: an index of the records with a pressure rate, so that they are found without reading the others. */
import type { Migration } from './migration.ts'

export const pressing: Migration = {
  version: 2,
  statements: () => [`CREATE INDEX records_pressing ON records (key) WHERE pressure_rate > 0`],
}
