/**
 * Sets a connection's pragmas in order and reads each back: SQLite ignores a pragma that it cannot apply, or uses another value,
 * and a store that relies on a journal it does not have loses data.
 */
import { recallError } from '../../src/core/model/errors.ts'
import { type Database, first } from './database.ts'

export interface Pragma {
  readonly name: string
  readonly set: string
  /** The value that reading back must return. */
  readonly reads: string
}

/** Throws STORAGE_UNAVAILABLE for the first pragma that was not applied. */
export function applyPragmas(database: Database, pragmas: readonly Pragma[]): void {
  for (const { name, set, reads } of pragmas) {
    database.execute(`PRAGMA ${name}=${set}`)
    const read = first(database, `PRAGMA ${name}`, [], (row) => row.text(0)) ?? ''
    if (read !== reads) {
      throw recallError('STORAGE_UNAVAILABLE', `SQLite does not keep ${name}=${set} on this store`, {
        value: read,
        hint: 'Open another name. Another program made the file, or the storage layer lacks a feature.',
      })
    }
  }
}

/** The driver sets these on every connection. They are set here again, so that they are read back. */
export const hardenedPragmas: readonly Pragma[] = [
  { name: 'trusted_schema', set: 'OFF', reads: '0' },
  { name: 'cell_size_check', set: 'ON', reads: '1' },
  { name: 'foreign_keys', set: 'ON', reads: '1' },
  { name: 'secure_delete', set: 'ON', reads: '1' },
  { name: 'temp_store', set: 'MEMORY', reads: '2' },
]

/** Page size in bytes, fixed when the file is created: vectors of 384 floats fill pages of 8 KiB with little waste. */
export const pageSizePragma: Pragma = { name: 'page_size', set: '8192', reads: '8192' }

/** Changed pages stay in memory until the commit. So a database file without a journal contains only committed data. */
export const noSpillPragma: Pragma = { name: 'cache_spill', set: 'OFF', reads: '0' }

/** 16 MiB of cached pages (a negative value is in KiB). */
export const cacheSizePragma: Pragma = { name: 'cache_size', set: '-16384', reads: '-16384' }
