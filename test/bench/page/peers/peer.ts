/** The interface of a peer, and the messages between the page and the peer's worker. */
import type { ServedRecord } from '../bench-api.ts'
import type { Answered, Ask } from '../contender.ts'
import type { PeerName } from '../peer-table.ts'

export interface Peer {
  /** The ten best, with their whole records: what an app would show. */
  search(ask: Ask): Found | Promise<Found>
  /** Replaces records known by their ids. */
  update(changed: readonly Changed[]): void | Promise<void>
  remove(rows: readonly Changed[]): void | Promise<void>
  /** Candidates of a graph's search from now on; 64 until then. */
  setEf?(ef: number): void | Promise<void>
  /** Bytes of WebAssembly memory; absent: it has none. */
  wasmBytes?(): number
}

export interface Found {
  readonly ids: readonly string[]
  readonly records: readonly Pick<ServedRecord, 'id' | 'text'>[]
}

/** A record, its place in the collection and its vector. */
export interface Changed {
  readonly row: number
  readonly record: ServedRecord
  readonly vector: Float32Array
}

export type PeerRequest =
  | { readonly verb: 'build'; readonly peer: PeerName; readonly collection: string }
  | { readonly verb: 'ask'; readonly ask: Ask }
  | { readonly verb: 'update' | 'remove'; readonly rows: readonly number[] }
  | { readonly verb: 'ef'; readonly ef: number }
  | { readonly verb: 'wasm' }

export type PeerReply =
  | { readonly built: { readonly buildMs: number } }
  | { readonly answered: Answered & Found }
  | { readonly changed: { readonly tookMs: number } }
  | { readonly wasm: { readonly bytes: number | null } }
  | { readonly error: string }
