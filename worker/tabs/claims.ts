/**
 * Claims of other tabs: that they lead, open the store, or are of a newer release. Each would end this tab or hand it to
 * another one, so it is heeded only if the platform's locks bear it out. What the same tab says meanwhile waits its turn.
 */
import { protocolVersion } from '../../src/protocol/handshake.ts'
import type { Received } from './messages.ts'
import type { Presence } from './presence.ts'

export interface ClaimRules {
  isClaim(received: Received): boolean
  /** A claim that is borne out. */
  heed(received: Received): void
  /** What claims nothing. */
  hear(received: Received): void
}

/** Takes every message of other tabs. Nothing is kept of a tab once its claim was looked at. */
export function createClaims(presence: Presence, { isClaim, heed, hear }: ClaimRules): (received: Received) => void {
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
    // It may be none any more.
    if (!isClaim(received)) hear(received)
    else if (standing === 'leads' || standing === 'unknown' || (isNewer && standing === 'waits')) heed(received)
    for (const next of later) take(next)
  }

  return take
}

/** Tabs whose claims are looked at at once, and messages of each that wait for that. */
const mostChecked = 64
const mostWaiting = 1_000
