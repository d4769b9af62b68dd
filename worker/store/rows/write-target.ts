/** The database that a transaction writes to, with the keys and stamps that it takes. */
import type { Stamp } from '../../../src/core/merge/stamp.ts'
import type { Database } from '../../sqlite/database.ts'

export interface WriteTarget {
  readonly database: Database
  readonly metadataKeys: readonly string[]
  /** Row of the embedding space of new vectors; null if none is chosen. */
  readonly space: number | null
  /** Row of the space of stand-in vectors; null if none is chosen. */
  readonly standIn: number | null
  readonly takeKey: () => number
  /** The stamp of the next change, at this time (ms). */
  readonly takeStamp: (nowMs: number) => Stamp
  /** The stamps taken later exceed this one. */
  readonly seeStamp: (stamp: Stamp) => void
  /** Called before the first of several texts is deleted from the index, with their number (delete-texts.ts). */
  readonly textsToDelete: (texts: number) => void
  /** Called for each text that is deleted from the index. */
  readonly textDeleted: () => void
}
