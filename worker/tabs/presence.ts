/**
 * What a tab says of itself can be checked: for as long as it lives it holds a lock that is named after it and its version. The
 * platform tells which client holds or waits for which lock, so a message alone never ends a tab or leads one astray.
 */
import { protocolVersion } from '../../src/protocol/handshake.ts'
import { channelName } from './broadcast.ts'
import type { TabsPlatform } from './port.ts'

/** `leads`: its client holds the store's lock. `waits`: it waits for it. `unknown`: the platform does not tell. */
export type Standing = 'leads' | 'waits' | 'stranger' | 'unknown'

export interface Presence {
  /** Resolves when this tab holds its lock, or cannot: what it says before then, nobody can check. */
  readonly held: Promise<void>
  /** What the tab of this version is to the store now. */
  standingOf(tab: string, version?: number): Promise<Standing>
  /** Whether this tab is the first of those that wait for the store. False where the platform does not tell. */
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
        // Where not even this tab's own lock is told, nothing is.
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

/** Keeps its shape in all versions to come: an older release looks for it by a newer one's version. */
export function presenceName(store: string, tab: string, version: number): string {
  return `${channelName(store, tab)} ${version}`
}

/** One query at a time: who asks while one runs shares the next, which sees what was true when they asked. */
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
