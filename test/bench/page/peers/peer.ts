/** What a peer must do for the bench, and the messages between the page and the worker it lives in. */
import type { PeerName, ServedRecord } from '../bench-api.ts'
import type { Answered, Ask } from '../contender.ts'

export interface Peer {
  /** The ten best, with their whole records: what an app would show. */
  search(ask: Ask): Found
}

export interface Found {
  readonly ids: readonly string[]
  readonly records: readonly Pick<ServedRecord, 'id' | 'text'>[]
}

export type PeerRequest =
  | { readonly verb: 'build'; readonly peer: PeerName; readonly collection: string }
  | { readonly verb: 'ask'; readonly ask: Ask }

export type PeerReply =
  | { readonly built: { readonly buildMs: number } }
  | { readonly answered: Answered & Found }
  | { readonly error: string }
