/** Reads and writes tombstones: what is kept of a forgotten record, by a hash of its id. */
import type { Tombstone } from '../../../src/core/merge/lives.ts'
import { tombstoneMark } from '../../../src/core/merge/tombstone-mark.ts'
import { type Database, first } from '../../sqlite/database.ts'

export function readTombstone(database: Database, id: string): Tombstone | undefined {
  return first(
    database,
    `SELECT life, stamp_at, stamp_count, stamp_device FROM tombstones WHERE mark = ?`,
    [tombstoneMark(id)],
    (row) => ({
      life: row.number(0),
      stamp: { at: row.number(1), count: row.number(2), device: row.text(3) },
    }),
  )
}

/** Replaces an older tombstone of the record. */
export function writeTombstone(database: Database, id: string, { life, stamp }: Tombstone): void {
  database.execute(`INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?, ?, ?)`, [
    tombstoneMark(id),
    life,
    stamp.at,
    stamp.count,
    stamp.device,
  ])
}

export function removeTombstone(database: Database, id: string): void {
  database.execute(`DELETE FROM tombstones WHERE mark = ?`, [tombstoneMark(id)])
}
