/** Types of `replicate`. */
import type { ConflictResolver, Recall } from '../client/api/recall.ts'
import type { Transport } from './transports/transport.ts'

export type ReplicatedStore = Pick<Recall, 'exportTo' | 'importFrom' | 'status'>
export type ExportedBytes = ReturnType<ReplicatedStore['exportTo']>

export interface ReplicateOptions {
  readonly transport: Transport
  /**
   * 32 random bytes that all devices share: `crypto.getRandomValues(new Uint8Array(32))`. Anyone who has the key can read everything;
   * without the key the blobs cannot be read.
   */
  readonly key: Uint8Array
  /** Time (ms) from the end of a round to the next, from 1,000. null: only `sync` starts rounds. Default 60,000. */
  readonly everyMs?: number | null | undefined
  /** Time (ms) that each call of the transport may take. Then the round fails with `DEADLINE_EXCEEDED`. Default 60,000. */
  readonly deadlineMs?: number | undefined
  /** Largest blob (bytes) that is read or written, at most 1 GiB. Equal on all devices. Default 128 MiB: a store of up to 8 GiB. */
  readonly maxBlobBytes?: number | undefined
  /** Called when a round that the timer started fails. The next one comes later, up to ten times `everyMs`. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Decides about records of which two devices changed the same field apart: see `importFrom`. Default: the later change is kept. */
  readonly onConflict?: ConflictResolver | undefined
  /** Called after each round. */
  readonly onRound?: ((report: RoundReport) => void) | undefined
}

/** The counts of a round. All are 0 if nothing had changed on any device. */
export interface RoundReport {
  /** Blobs of other devices that were read. */
  readonly pulled: number
  /** Blobs that were written. */
  readonly pushed: number
  /** Records that came, changed, or were forgotten here. */
  readonly inserted: number
  readonly updated: number
  readonly forgotten: number
  /** Records of which another device changed the same field as this one, apart. The later change of the field is kept on both. */
  readonly conflicts: number
}

export interface Replication {
  /** Runs a round now, or waits for the running one and then runs one. Rejects if it fails. */
  sync(): Promise<RoundReport>
  /** Ends the running round, with its requests, and starts no other. Resolves when the round has ended; never rejects. */
  stop(): Promise<void>
}
