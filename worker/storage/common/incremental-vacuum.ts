/**
 * Returns free pages to the file system (incremental vacuum). It runs after commits in small slices, so that no write waits long, and
 * only while many pages are free, so that a store of constant size does not keep moving pages.
 */
import { type Database, first } from '../../sqlite/database.ts'

/**
 * Must be called before the first page of a file is written. A file created without it has no pointer-map pages, and keeps its size
 * until it is compacted: VACUUM applies the setting of this connection.
 */
export function makeShrinkable(database: Database): void {
  // On a file that has pointer maps the pragma would write, and a store on a full disk must open.
  if (pragma(database, 'auto_vacuum') === 0) database.execute('PRAGMA auto_vacuum=INCREMENTAL')
}

export interface VacuumLimits {
  /** Free pages up to this share of the file are kept for later writes. */
  readonly freeShare: number
  /** Free pages that any file keeps. */
  readonly freePages: number
  /** Pages per slice. */
  readonly slicePages: number
}

export const vacuumLimits: VacuumLimits = { freeShare: 1 / 8, freePages: 64, slicePages: 32 }

/** Runs one slice in its own transaction; the next checkpoint truncates the file. Never throws: a failed slice is rolled back. */
export function reclaimPages(database: Database, limits: VacuumLimits = vacuumLimits): void {
  const { freeShare, freePages, slicePages } = limits
  try {
    if (pragma(database, 'freelist_count') <= Math.max(freePages, freeShare * pragma(database, 'page_count'))) return
    database.execute(`PRAGMA incremental_vacuum(${slicePages})`)
  } catch {
    // Out of memory or disk. No row was touched; the next write that needs the space reports it.
  }
}

function pragma(database: Database, name: string): number {
  return first(database, `PRAGMA ${name}`, [], (row) => row.number(0)) ?? 0
}
