/**
 * Reads and writes the states of links, from which two devices can merge them: the weight that was set last, and what each device added since.
 * `links` has the weights that follow. A removed link stays as a weight of 0, until either record is forgotten.
 */
import { type LinkState, weightOf } from '../../../../src/core/merge/links.ts'
import { linkStateFrom, type PortableLink, portableLink } from '../../../../src/core/merge/portable-links.ts'
import type { PortableStamp } from '../../../../src/core/merge/portable-stamp.ts'
import { compareCodePoints } from '../../../../src/core/text/hash/code-point-order.ts'
import { all, type Database, first, type Row } from '../../../sqlite/database.ts'

/** The keys of two linked records, that of the smaller id first. */
export type LinkedKeys = readonly [smaller: number, greater: number]

export function keysInOrder(database: Database, a: number, b: number): LinkedKeys {
  const idOf = (key: number) =>
    first(database, `SELECT id FROM records WHERE key = ?`, [key], (row) => row.text(0)) ?? ''
  return compareCodePoints(idOf(a), idOf(b)) < 0 ? [a, b] : [b, a]
}

export function readLinkState(database: Database, [smaller, greater]: LinkedKeys): LinkState | undefined {
  return first(
    database,
    `SELECT weight, stamp, added FROM link_states WHERE key = ? AND other = ?`,
    [smaller, greater],
    (row) => stateFrom(row, 0),
  )
}

/** Writes a state and the weight that follows. Returns the weight; 0: the link is removed. */
export function writeLinkState(database: Database, [smaller, greater]: LinkedKeys, state: LinkState): number {
  const { weight: set = null, stamp = null, added = [] } = portableLink('', state)
  database.execute(`INSERT OR REPLACE INTO link_states VALUES (?, ?, ?, ?, ?)`, [
    smaller,
    greater,
    set,
    stamp === null ? null : JSON.stringify(stamp),
    JSON.stringify(added),
  ])
  const weight = weightOf(state)
  for (const [key, other] of [
    [smaller, greater],
    [greater, smaller],
  ] as const) {
    if (weight === 0) database.execute(`DELETE FROM links WHERE key = ? AND other = ?`, [key, other])
    else
      database.execute(
        `INSERT INTO links VALUES (?, ?, ?) ON CONFLICT (key, other) DO UPDATE SET weight = excluded.weight`,
        [key, other, weight],
      )
  }
  return weight
}

/** The links of a record to smaller ids, by id, so that each link is exported once. */
export function readPortableLinks(database: Database, key: number): readonly PortableLink[] {
  return all(
    database,
    `SELECT s.weight, s.stamp, s.added, r.id FROM link_states s JOIN records r ON r.key = s.key WHERE s.other = ?`,
    [key],
    (row) => portableLink(row.text(3), stateFrom(row, 0)),
  ).sort((a, b) => compareCodePoints(a.id, b.id))
}

/** The weight as it was last set, its stamp, and what was added since. */
function stateFrom(row: Row, at: number): LinkState {
  const [weight, stamp] = [row.numberOrNull(at), row.textOrNull(at + 1)]
  return linkStateFrom({
    ...(weight === null ? {} : { weight }),
    ...(stamp === null ? {} : { stamp: JSON.parse(stamp) as PortableStamp }),
    added: JSON.parse(row.text(at + 2)) as NonNullable<PortableLink['added']>,
  })
}
