/** Members of scopes, read once per revision and kept: a scope of ten thousand records takes 40 kB and a bit per key. */
import { all, type Database } from '../../sqlite/database.ts'
import type { Members } from '../port/store.ts'
import type { Condition } from '../rows/scope-sql.ts'

export interface ScopeMembers {
  /** `query` makes the statement that gives the keys ascending, asked only when they are not known; `size` is above every key; `name` tells queries apart. */
  read(name: string, query: () => Condition, size: number): Members
  /** Forgets all: the store has changed. */
  clear(): void
  bytes(): number
}

/** What is kept at most: the oldest scope goes first. One that is larger by itself is kept until the next comes. */
export const scopesCache = Object.freeze({ scopes: 64, bytes: 16 * 1024 * 1024 })

export function createScopeMembers(database: Database): ScopeMembers {
  const scopes = new Map<string, Members>()
  let bytes = 0
  return {
    read(name, query, size) {
      const cached = scopes.get(name)
      if (cached !== undefined) return cached
      const { sql, bind } = query()
      const members = membersOf(
        all(database, sql, bind, (row) => row.number(0)),
        size,
      )
      scopes.set(name, members)
      bytes += bytesOf(name, members)
      for (const [oldest, dropped] of scopes) {
        if (scopes.size <= scopesCache.scopes && (bytes <= scopesCache.bytes || scopes.size === 1)) break
        scopes.delete(oldest)
        bytes -= bytesOf(oldest, dropped)
      }
      return members
    },
    clear() {
      scopes.clear()
      bytes = 0
    },
    bytes: () => bytes,
  }
}

/** The name holds the lists of the scope, up to every id of it. */
function bytesOf(name: string, { keys, bits }: Members): number {
  return 2 * name.length + keys.byteLength + bits.byteLength
}

function membersOf(sorted: readonly number[], size: number): Members {
  const keys = Uint32Array.from(sorted)
  const bits = new Uint32Array((size >> 5) + 1)
  for (const key of keys) bits[key >> 5] = bits[key >> 5]! | (1 << (key & 31))
  return { keys, bits }
}
