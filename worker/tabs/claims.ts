/**
 * Checks claims of other tabs: that they lead, open the store, or run a newer release. A claim can end this tab or make it
 * follow another one, so it is accepted only if the platform's locks confirm it. Later messages of the same tab wait for
 * the check.
 */
import { protocolVersion } from '../../src/protocol/handshake.ts'
import type { Received } from './messages.ts'
import type { Presence } from './presence.ts'

export interface ClaimRules {
  isClaim(received: Received): boolean
  /** Receives a confirmed claim. */
  accept(received: Received): void
  /** Receives any other message. */
  hear(received: Received): void
}

/** Returns the receiver of all messages of other tabs. Nothing is stored about a tab after its claim is checked. */
export function createClaims(presence: Presence, { isClaim, accept, hear }: ClaimRules): (received: Received) => void {
  const waiting = new Map<string, Received[]>()

  const take = (received: Received): void => {
    const earlier = waiting.get(received.from)
    if (earlier !== undefined) {
      if (earlier.length < mostWaiting) earlier.push(received)
    } else if (!isClaim(received)) hear(received)
    else if (waiting.size < mostChecked) void check(received)
  }

  const check = async (received: Received): Promise<void> => {
    const { from, version } = received
    const later: Received[] = []
    waiting.set(from, later)
    const standing = await presence.standingOf(from, version)
    waiting.delete(from)
    const isNewer = version > protocolVersion
    // The state of this tab may have changed: the message may not be a claim any more.
    if (!isClaim(received)) hear(received)
    else if (standing === 'leads' || standing === 'unknown' || (isNewer && standing === 'waits')) accept(received)
    for (const next of later) take(next)
  }

  return take
}

/** Claims checked at the same time, and messages per tab that wait for a check. More are ignored. */
const mostChecked = 64
const mostWaiting = 1_000
