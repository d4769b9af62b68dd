/**
 * Numbers the records of each session by (position, id). A session is all records of the same project, bank and session that have a
 * position. Derived from `records`. A session that changed is sorted again at the next use, so the numbers do not depend on the
 * order in which records were written [D3].
 */

import { receivedLengths } from '../../../src/core/fusion/received-lengths.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import type { Database, Row } from '../../sqlite/database.ts'
import type { SessionPlaces } from '../port/columns.ts'

export interface KeptSessions {
  forget(key: number): void
  read(key: number): void
  /** Null if no record has a place in a session. Valid until the next commit. */
  current(): SessionPlaces | null
  bytes(): number
}

interface Session {
  readonly name: string
  readonly group: number
  /** Sorted, unless the session is in `stale`. */
  readonly keys: number[]
}

// The partial index on `session` serves this, so a store without sessions reads nothing. Reading one text is faster than three.
const sql = `SELECT key, position, json_array(project, bank, session) FROM records WHERE session IS NOT NULL AND position IS NOT NULL`

/** `tokensByKey` returns the lengths of all records; it must know every change that `read` was called for. */
export function createSessionPlaces(
  database: Database,
  idOf: (key: number) => string,
  tokensByKey: () => Uint32Array,
): KeptSessions {
  const byName = new Map<string, Session>()
  const byGroup: (Session | undefined)[] = [undefined]
  /** Numbers of removed sessions, for reuse. */
  const unused: number[] = []
  const stale = new Set<Session>()
  let groups = new Int32Array(0)
  let places = new Int32Array(0)
  let positions = new Float64Array(0)
  let lengths = new Float64Array(0)

  const sessionOf = (name: string): Session => {
    const existing = byName.get(name)
    if (existing !== undefined) return existing
    const session = { name, group: unused.pop() ?? byGroup.length, keys: [] }
    byName.set(name, session)
    byGroup[session.group] = session
    return session
  }
  const add = (row: Row) => {
    const key = row.number(0)
    if (key >= groups.length) {
      const length = Math.max(1024, groups.length * 2, key + 1)
      groups = copyInto(groups, new Int32Array(length))
      places = copyInto(places, new Int32Array(length))
      positions = copyInto(positions, new Float64Array(length))
      lengths = copyInto(lengths, new Float64Array(length))
    }
    const session = sessionOf(row.text(2))
    groups[key] = session.group
    positions[key] = row.number(1)
    session.keys.push(key)
    stale.add(session)
  }
  database.each(sql, [], add)

  return {
    forget(key) {
      const session = byGroup[groups[key] ?? 0]
      if (session === undefined) return
      groups[key] = 0
      places[key] = 0
      session.keys.splice(session.keys.indexOf(key), 1)
      stale.add(session)
      if (session.keys.length > 0) return
      // Forgetting must leave not even the session's name [W3].
      byName.delete(session.name)
      byGroup[session.group] = undefined
      unused.push(session.group)
      stale.delete(session)
    },
    read: (key) => database.each(`${sql} AND key = ?`, [key], add),
    current() {
      const tokens = stale.size === 0 ? null : tokensByKey()
      for (const { keys } of stale) {
        keys.sort((a, b) => positions[a]! - positions[b]! || compareCodePoints(idOf(a), idOf(b)))
        const received = receivedLengths(keys.map((key) => tokens?.[key] ?? 0))
        for (const [place, key] of keys.entries()) {
          places[key] = place
          lengths[key] = received[place]!
        }
      }
      stale.clear()
      return byName.size === 0 ? null : { groups, places, lengths, at: (group, place) => byGroup[group]?.keys[place] }
    },
    bytes() {
      let listed = 0
      for (const { keys } of byName.values()) listed += keys.length * bytesPerListedKey
      return groups.byteLength + places.byteLength + positions.byteLength + lengths.byteLength + listed
    },
  }
}

/** Approximate bytes of an element of a number array. */
const bytesPerListedKey = 4

function copyInto<T extends Int32Array | Float64Array>(array: T, larger: T): T {
  larger.set(array)
  return larger
}
