/** Opens a salvage over stored bytes, in any kind of storage. The only file here that imports storage. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { RecallError } from '../../src/core/model/errors.ts'
import type { SalvageReceipt, SalvageRequest } from '../../src/protocol/salvage.ts'
import { type DamagedStore, openDamaged } from '../storage/recovery/open-damaged.ts'
import { nothing, type Salvage, salvageFrom } from './salvage.ts'

export interface OpenSalvage extends Pick<Salvage, 'exportParts'> {
  readonly receipt: SalvageReceipt
  /** Closes the store, which is unchanged. */
  close(): void
}

/** Rejects with DATA_MISSING, STORE_BUSY, STORE_NEWER, STORAGE_UNAVAILABLE, or with STORE_CORRUPT if nothing can be salvaged. */
export function openSalvage(
  sqlite3: Sqlite3Static,
  { name, storage }: Pick<SalvageRequest, 'name' | 'storage'>,
): Promise<OpenSalvage> {
  return salvageOf(() => openDamaged(sqlite3, name, storage))
}

/** Salvages the store that `open` opens for reading. */
export async function salvageOf(open: () => Promise<DamagedStore>): Promise<OpenSalvage> {
  let store: DamagedStore | null = null
  try {
    store = await open()
    const { receipt, revision, exportParts } = salvageFrom(store.database)
    const { kind, missingChanges, close } = store
    return { receipt: { storage: kind, ...receipt, missingChanges: missingChanges(revision) }, exportParts, close }
  } catch (error) {
    store?.close()
    if (!(error instanceof RecallError) || error.code !== 'STORE_CORRUPT' || store !== null) throw error
    throw nothing('its head or its schema cannot be read')
  }
}
