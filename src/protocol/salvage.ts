/** Messages between page and worker of a salvage: one function opens the store, one returns the next bytes. */
import type { Reply } from './envelope.ts'

export interface SalvageRequest {
  readonly version: number
  readonly name: string
  readonly storage: 'auto' | 'opfs' | 'indexeddb'
  readonly sqliteWasm: string | undefined
}

/** How much of a store could be read. */
export interface SalvageReceipt {
  /** Storage kind of the store. */
  readonly storage: 'opfs' | 'indexeddb' | 'file'
  /** Number of records in the export. */
  readonly records: number
  /** Number of records that cannot be read, or whose text does not match its hash. */
  readonly unreadable: number
  /** The ids of unreadable records that are still known, ascending. */
  readonly unreadableIds: readonly string[]
  /** False: no complete list of records could be read, and more than `unreadable` may be lost. */
  readonly isCountExact: boolean
  /**
   * By part (`vectors`, `learned`, `links`, `tags`, …), the number of exported records whose part cannot be read. `fileStates`, the states of
   * `checkFiles`, counts once.
   */
  readonly incomplete: Readonly<Record<string, number>>
  /**
   * Number of committed changes that are lost because the journal is damaged before them; records that they forgot may be in the export again.
   * OPFS and files count revisions; IndexedDB counts steps of one or more revisions. null: unknown.
   */
  readonly missingChanges: number | null
}

export interface SalvageHost {
  open(request: SalvageRequest): Promise<Reply<SalvageReceipt>>
  /** Returns the next part of the export; part 0 starts it again. null: the export is complete. */
  part(number: number): Promise<Reply<Uint8Array<ArrayBuffer> | null>>
}

export const salvageMethods = ['open', 'part'] as const satisfies readonly (keyof SalvageHost)[]

/** What to do about a store that cannot be opened because it is damaged. */
export const salvageHint =
  'Get what can still be read with `salvage` of scrubjay/salvage, and import it into a new store.'
