/**
 * Orders all records by a time, then by id, both descending: the order that breaks ties [F3]. Kept between queries and merged
 * with the changes of each commit, so that no query sorts the store.
 */

import { sortRows } from '../../../src/core/order/row-order.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import type { TimeOrder } from '../port/columns.ts'

export interface KeptOrder {
  forget(key: number): void
  read(key: number): void
  current(): TimeOrder
}

/** `keys`: all keys of the store. `times` is called when the order is requested. */
export function createTimeOrder(keys: Int32Array, times: () => Float64Array, idOf: (key: number) => string): KeptOrder {
  sortRows(keys, times(), (a, b) => compareCodePoints(idOf(b), idOf(a)))
  let order = withPlaces(Uint32Array.from(keys))
  const stale = new Set<number>()
  const fresh = new Set<number>()
  return {
    forget(key) {
      stale.add(key)
      fresh.delete(key)
    },
    read: (key) => fresh.add(key),
    current() {
      if (stale.size + fresh.size === 0) return order
      const at = times()
      const isBefore = (a: number, b: number) =>
        at[a] === at[b] ? compareCodePoints(idOf(a), idOf(b)) > 0 : at[a]! > at[b]!
      const left = order.keys.filter((key) => !stale.has(key))
      const added = Uint32Array.from(fresh).sort((a, b) => (isBefore(a, b) ? -1 : 1))
      order = withPlaces(merged(left, added, isBefore))
      stale.clear()
      fresh.clear()
      return order
    },
  }
}

function merged(left: Uint32Array, added: Uint32Array, isBefore: (a: number, b: number) => boolean): Uint32Array {
  const keys = new Uint32Array(left.length + added.length)
  for (let i = 0, from = 0, next = 0; i < keys.length; i++) {
    const isAdded = next < added.length && (from === left.length || isBefore(added[next]!, left[from]!))
    keys[i] = (isAdded ? added[next++] : left[from++])!
  }
  return keys
}

function withPlaces(keys: Uint32Array): TimeOrder {
  const places = new Uint32Array(keys.reduce((most, key) => Math.max(most, key), -1) + 1)
  for (let i = 0; i < keys.length; i++) places[keys[i]!] = i
  return { keys, places }
}
