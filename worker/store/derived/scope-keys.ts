/** Caches the keys in each scope for one revision. A scope of 10,000 records takes 40 kB and one bit for each key. */
import { keySetOf } from '../../../src/core/collections/key-set.ts'
import { all, type Database } from '../../sqlite/database.ts'
import type { KeySet } from '../port/store.ts'
import type { Condition } from '../queries/scope-sql.ts'

export interface ScopeKeys {
  /**
   * `name` identifies the query. `query` returns the statement that selects the keys, ascending; it is called only if they are not
   * cached. `size` is larger than every key.
   */
  read(name: string, query: () => Condition, size: number): KeySet
  /** Clears the cache; to be called when the store changes. */
  clear(): void
  bytes(): number
}

/** Limits of the cache. The oldest scope is dropped first. A scope that is larger than the limit stays until the next one is read. */
export const scopesCache = Object.freeze({ scopes: 64, bytes: 16 * 1024 * 1024 })

export function createScopeKeys(database: Database): ScopeKeys {
  const scopes = new Map<string, KeySet>()
  let bytes = 0
  return {
    read(name, query, size) {
      const cached = scopes.get(name)
      if (cached !== undefined) return cached
      const { sql, bind } = query()
      const keys = all(database, sql, bind, (row) => row.number(0))
      const scopeKeys = keySetOf(Uint32Array.from(keys), size)
      scopes.set(name, scopeKeys)
      bytes += bytesOf(name, scopeKeys)
      for (const [oldest, dropped] of scopes) {
        if (scopes.size <= scopesCache.scopes && (bytes <= scopesCache.bytes || scopes.size === 1)) break
        scopes.delete(oldest)
        bytes -= bytesOf(oldest, dropped)
      }
      return scopeKeys
    },
    clear() {
      scopes.clear()
      bytes = 0
    },
    bytes: () => bytes,
  }
}

/** The name counts, because it contains the lists of the scope, for example all its ids. */
function bytesOf(name: string, { keys, bits }: KeySet): number {
  return 2 * name.length + keys.byteLength + bits.byteLength
}
