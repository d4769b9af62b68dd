/**
 * Lets tabs check each other: each tab holds a lock that is named after its id and protocol version. The platform reports
 * which client holds or waits for which lock, so a false message alone can neither end a tab nor mislead it.
 */
import { protocolVersion } from '../../src/protocol/handshake.ts'
import { channelName } from './broadcast.ts'
import type { TabsPlatform } from './port.ts'

/** `leads`: its client holds the store's lock. `waits`: its client waits for it. `stranger`: neither. `unknown`: the platform does not report locks. */
export type Standing = 'leads' | 'waits' | 'stranger' | 'unknown'

export interface Presence {
  /** Resolves when this tab holds its lock, or cannot get it. Other tabs cannot check earlier messages. */
  readonly held: Promise<void>
  /** The present standing of a tab with this protocol version. */
  standingOf(tab: string, version?: number): Promise<Standing>
  /** Whether this tab is the first one that waits for the store. False if the platform does not report locks. */
  isNextInLine(): Promise<boolean>
  end(): void
}

export function createPresence(store: string, tab: string, { locks }: TabsPlatform): Presence {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const held = new Promise<void>((resolve) => {
    locks
      .request(presenceName(store, tab, protocolVersion), () => {
        resolve()
        return ended
      })
      .catch(() => resolve())
  })
  const query = sharedQuery(() => locks.query())
  const lock = channelName(store)

  return {
    held,
    async standingOf(other, version = protocolVersion) {
      const { held: holders = [], pending = [] } = await query()
      const leader = holders.find(({ name }) => name === lock)?.clientId
      const name = presenceName(store, other, version)
      const client = holders.find((entry) => entry.name === name)?.clientId
      if (client === undefined) {
        // If the platform does not even report this tab's own lock, it reports none.
        const own = presenceName(store, tab, protocolVersion)
        return holders.some((entry) => entry.name === own && entry.clientId) ? 'stranger' : 'unknown'
      }
      if (client === leader) return 'leads'
      return pending.some((entry) => entry.name === lock && entry.clientId === client) ? 'waits' : 'stranger'
    },
    async isNextInLine() {
      const { held: holders = [], pending = [] } = await query()
      const own = presenceName(store, tab, protocolVersion)
      const me = holders.find(({ name }) => name === own)?.clientId
      return me !== undefined && pending.find(({ name }) => name === lock)?.clientId === me
    },
    end,
  }
}

/** This format must never change: older releases compute the lock names of newer ones. */
export function presenceName(store: string, tab: string, version: number): string {
  return `${channelName(store, tab)} ${version}`
}

/** Runs one query at a time. Calls during a query share the next one, so that their answer is never older than the call. */
function sharedQuery(ask: () => Promise<LockManagerSnapshot>): () => Promise<LockManagerSnapshot> {
  const safely = () => ask().catch((): LockManagerSnapshot => ({}))
  let running: Promise<unknown> | null = null
  let next: Promise<LockManagerSnapshot> | null = null
  return () => {
    if (next !== null) return next
    const before = running ?? Promise.resolve()
    const query = before.then(() => {
      next = null
      running = query
      return safely()
    })
    next = query
    return query
  }
}
