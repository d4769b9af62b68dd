/** Version 2: the records that press on their own are found without looking at the others. */
import type { Migration } from './migration.ts'

export const pressing: Migration = {
  version: 2,
  statements: () => [`CREATE INDEX records_pressing ON records (key) WHERE pressure_rate > 0`],
}
