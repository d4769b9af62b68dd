/** What page and worker of a salvage say to each other: one function that opens, one that gives the next bytes. */
import type { Reply } from './envelope.ts'

export interface SalvageRequest {
  readonly version: number
  readonly name: string
  readonly storage: 'auto' | 'opfs' | 'indexeddb'
  readonly sqliteWasm: string | undefined
}

/** What came out of a store, and what did not. */
export interface SalvageReceipt {
  /** Where the store lives. */
  readonly storage: 'opfs' | 'indexeddb'
  /** Records in the export: each with the text that its stored content hash names. */
  readonly records: number
  /** Records that stood in the store and cannot be read, or are not what was stored. */
  readonly unreadable: number
  /** Of those, the ids that are still known, ascending. */
  readonly unreadableIds: readonly string[]
  /** False where no list of all records can be read: then `unreadable` counts those that are known of, and more may have stood. */
  readonly isCountExact: boolean
  /**
   * How many records are kept without a part of theirs that cannot be read: `vectors`, `learned`, `links`, `tags`, `files`, `terms`,
   * `anchors`, `relations`, `cycles`, `predictions`, `proposals`; and, counted once, `fileStates`, what `checkFiles` told.
   */
  readonly incomplete: Readonly<Record<string, number>>
  /**
   * Changes that were acknowledged and stand behind damage in the journal: what is kept is as it was before them, so that what they
   * forgot may be there again. In OPFS revisions, in IndexedDB steps of one or more. null: it cannot be told.
   */
  readonly missingChanges: number | null
}

export interface SalvageHost {
  open(request: SalvageRequest): Promise<Reply<SalvageReceipt>>
  /** Part 0 begins an export anew; each later one is the next. null: there is no more. */
  part(number: number): Promise<Reply<Uint8Array<ArrayBuffer> | null>>
}

export const salvageMethods = ['open', 'part'] as const satisfies readonly (keyof SalvageHost)[]

/** What to do about a store that cannot be opened because it is damaged. */
export const salvageHint =
  'Get what can still be read with `salvage` of scrubjay/salvage, and import it into a new store.'
