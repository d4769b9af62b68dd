/** Reads and writes tombstones: what is kept of a forgotten record, by a hash of its id. */
import type { Tombstone } from '../../../src/core/merge/lives.ts'
import { tombstoneMark } from '../../../src/core/merge/tombstone-mark.ts'
import type { PortableTombstone } from '../../export-format/versions.ts'
import { all, type Database, first } from '../../sqlite/database.ts'

export function readTombstone(database: Database, mark: string): Tombstone | undefined {
  return first(
    database,
    `SELECT life, stamp_at, stamp_count, stamp_device FROM tombstones WHERE mark = ?`,
    [mark],
    (row) => ({
      life: row.number(0),
      stamp: { at: row.number(1), count: row.number(2), device: row.text(3) },
    }),
  )
}

/** Removes and returns the tombstones of these ids; undefined for the ids without one. */
export function takeTombstones(database: Database, ids: readonly string[]): readonly (Tombstone | undefined)[] {
  // Most stores have none, and hashing an id takes as long as checking its record.
  const isAny = first(database, `SELECT 1 FROM tombstones LIMIT 1`, [], () => true) ?? false
  return ids.map((id) => {
    if (!isAny) return undefined
    const mark = tombstoneMark(id)
    const tombstone = readTombstone(database, mark)
    if (tombstone !== undefined) removeTombstone(database, mark)
    return tombstone
  })
}

/** All tombstones, by mark. */
export function readTombstones(database: Database): PortableTombstone[] {
  return all(
    database,
    `SELECT mark, life, stamp_at, stamp_count, stamp_device FROM tombstones ORDER BY mark`,
    [],
    (row): PortableTombstone => ({
      mark: row.text(0),
      life: row.number(1),
      stamp: [row.number(2), row.number(3), row.text(4)],
    }),
  )
}

/** Replaces an older tombstone of the record. */
export function writeTombstone(database: Database, mark: string, { life, stamp }: Tombstone): void {
  database.execute(`INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?, ?, ?)`, [
    mark,
    life,
    stamp.at,
    stamp.count,
    stamp.device,
  ])
}

export function removeTombstone(database: Database, mark: string): void {
  database.execute(`DELETE FROM tombstones WHERE mark = ?`, [mark])
}
