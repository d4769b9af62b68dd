/**
 * Sets a connection's pragmas in order and reads each one back: SQLite answers a pragma it cannot honour with silence
 * or with another value, and a store that believes in a journal it does not have loses data.
 */
import { recallError } from '../../src/core/model/errors.ts'
import { type Database, first } from './database.ts'

export interface Pragma {
  readonly name: string
  readonly set: string
  /** What reading it back must give. */
  readonly reads: string
}

/** Throws STORAGE_UNAVAILABLE at the first pragma that did not take. */
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

/** What the driver sets on every connection, set again here to be read back. */
export const hardenedPragmas: readonly Pragma[] = [
  { name: 'trusted_schema', set: 'OFF', reads: '0' },
  { name: 'cell_size_check', set: 'ON', reads: '1' },
  { name: 'foreign_keys', set: 'ON', reads: '1' },
  { name: 'secure_delete', set: 'ON', reads: '1' },
  { name: 'temp_store', set: 'MEMORY', reads: '2' },
]

/** Bytes in a page, fixed when the file is made: vectors of 384 floats fill 8 K pages with little waste. */
export const pageSizePragma: Pragma = { name: 'page_size', set: '8192', reads: '8192' }

/** Changed pages stay in memory until the commit: a file without a journal beside it holds what is committed, and nothing else. */
export const noSpillPragma: Pragma = { name: 'cache_spill', set: 'OFF', reads: '0' }

/** 16 MiB of pages in memory (negative: KiB). */
export const cacheSizePragma: Pragma = { name: 'cache_size', set: '-16384', reads: '-16384' }
