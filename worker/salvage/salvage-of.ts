/** Opens a salvage over what is left of a store, in any kind of storage. */
import { RecallError } from '../../src/core/model/errors.ts'
import type { SalvageReceipt } from '../../src/protocol/salvage.ts'
import type { DamagedStore } from '../storage/common/port.ts'
import { nothing, type Salvage, salvageFrom } from './salvage.ts'

export interface OpenSalvage extends Pick<Salvage, 'exportParts'> {
  readonly receipt: SalvageReceipt
  /** Closes the store, which is unchanged. */
  close(): void
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
