/** The states of a tab, and which messages could change them. */
import type { RecallError } from '../../src/core/model/errors.ts'
import { protocolVersion } from '../../src/protocol/handshake.ts'
import type { Received } from './messages.ts'
import type { ServedEngine } from './port.ts'
import type { Followers } from './serve-followers.ts'

export type TabState =
  | { readonly kind: 'seeking' }
  | {
      readonly kind: 'following'
      readonly leader: string
      readonly refusal: RecallError | null
      /** Whether the leader's default policy equals this page's. */
      readonly hasOurPolicy: boolean
    }
  | { readonly kind: 'opening' }
  | { readonly kind: 'leading'; readonly engine: ServedEngine; readonly followers: Followers | null }
  /** The store could not be opened when this tab was elected; the next call tries again. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'ended'; readonly error: RecallError }

/** Whether accepting the message could end a tab of this state, or make it follow another tab. */
export function isClaim(state: TabState, { version, from, message }: Received): boolean {
  if (state.kind === 'ended') return false
  if (version > protocolVersion) return true
  if (state.kind === 'leading' || state.kind === 'opening') return false
  if (message?.type === 'lead') return state.kind !== 'following' || state.leader !== from
  return message?.type === 'opening'
}
