/** Opens a salvage of a store in a browser. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { SalvageRequest } from '../../src/protocol/salvage.ts'
import { openDamaged } from '../storage/recovery/open-damaged.ts'
import { type OpenSalvage, salvageOf } from './salvage-of.ts'

/** Rejects with DATA_MISSING, STORE_BUSY, STORE_NEWER, STORAGE_UNAVAILABLE, or with STORE_CORRUPT if nothing can be salvaged. */
export function openSalvage(
  sqlite3: Sqlite3Static,
  { name, storage }: Pick<SalvageRequest, 'name' | 'storage'>,
): Promise<OpenSalvage> {
  return salvageOf(() => openDamaged(sqlite3, name, storage))
}
