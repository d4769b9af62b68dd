/**
 * Gives room that a store no longer needs back to the file system: slice by slice behind the writes, so that none waits long,
 * and only while much is free, so that a store which stays as large as it is moves no page for ever.
 */
import { type Database, first } from '../../sqlite/database.ts'

/**
 * Before the first page of a file. One that was made without it has no maps of who points to which page, and keeps its size
 * until it is compacted: VACUUM makes it as this connection says.
 */
export function makeShrinkable(database: Database): void {
  // Said again of a file that has maps it would be written, and a store on a full disk must open.
  if (pragma(database, 'auto_vacuum') === 0) database.execute('PRAGMA auto_vacuum=INCREMENTAL')
}

export interface GiveBackLimits {
  /** Free pages up to this share of the file stay, for the writes to come. */
  readonly freeShare: number
  /** And as many as this in any file. */
  readonly freePages: number
  /** Pages given back at once. */
  readonly slicePages: number
}

export const giveBackLimits: GiveBackLimits = { freeShare: 1 / 8, freePages: 64, slicePages: 32 }

/** One slice, in a transaction of its own; the file is cut at the next checkpoint. Never throws: what failed is undone, and can wait. */
export function giveBack(database: Database, limits: GiveBackLimits = giveBackLimits): void {
  const { freeShare, freePages, slicePages } = limits
  try {
    if (pragma(database, 'freelist_count') <= Math.max(freePages, freeShare * pragma(database, 'page_count'))) return
    database.execute(`PRAGMA incremental_vacuum(${slicePages})`)
  } catch {
    // For want of memory or of the disk, which the next who needs it is told of. No row was touched.
  }
}

function pragma(database: Database, name: string): number {
  return first(database, `PRAGMA ${name}`, [], (row) => row.number(0)) ?? 0
}
