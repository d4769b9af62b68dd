/**
 * A cache that keeps what was used recently, in two generations: the newer one takes new entries and those that are used again. When
 * it is half the size of the cache, the older one is dropped, and the newer becomes the older.
 */

export interface RecentCacheLimits {
  readonly bytes: number
  readonly entries: number
}

export interface RecentCache<K, V> {
  get(key: K): V | undefined
  add(key: K, value: V): void
  clear(): void
  bytes(): number
}

/** `bytesOf`: bytes of an entry in memory, its key included. An entry of more than half the limit is not kept. */
export function createRecentCache<K, V>(
  limits: RecentCacheLimits,
  bytesOf: (key: K, value: V) => number,
): RecentCache<K, V> {
  let newer = new Map<K, V>()
  let older = new Map<K, V>()
  let newerBytes = 0
  let olderBytes = 0

  const add = (key: K, value: V) => {
    const size = bytesOf(key, value)
    if (size > limits.bytes / 2) return
    if (newerBytes + size > limits.bytes / 2 || newer.size >= limits.entries / 2) {
      older = newer
      olderBytes = newerBytes
      newer = new Map()
      newerBytes = 0
    }
    newer.set(key, value)
    newerBytes += size
  }

  return {
    get(key) {
      const value = newer.get(key)
      if (value !== undefined) return value
      const earlier = older.get(key)
      if (earlier === undefined) return undefined
      older.delete(key)
      olderBytes -= bytesOf(key, earlier)
      add(key, earlier)
      return earlier
    },
    add,
    clear() {
      newer = new Map()
      older = new Map()
      newerBytes = olderBytes = 0
    },
    bytes: () => newerBytes + olderBytes,
  }
}
