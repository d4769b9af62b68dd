/** Reads and writes links. Each undirected link is two rows, so that all links of a record are adjacent in the table. */
import { excessLinks } from '../../../../src/core/learning/co-occurrence.ts'
import { addWeight, type LinkState, newLink, setWeight } from '../../../../src/core/merge/links.ts'
import { portableStamp } from '../../../../src/core/merge/portable-stamp.ts'
import type { Stamp } from '../../../../src/core/merge/stamp.ts'
import { tuning } from '../../../../src/core/model/tuning.ts'
import { all, type Database, first } from '../../../sqlite/database.ts'
import type { KeyedLink } from '../../port/learning.ts'
import { keysInOrder, readLinkState, writeLinkState } from './link-states.ts'

export function readLinks(database: Database, key: number): KeyedLink[] {
  return all(
    database,
    `SELECT other, records.id, weight FROM links JOIN records ON records.key = other WHERE links.key = ?
      ORDER BY weight DESC, records.id DESC`,
    [key],
    (row) => ({ key: row.number(0), id: row.text(1), weight: row.number(2) }),
  )
}

export function readWeight(database: Database, a: number, b: number): number | undefined {
  return first(database, `SELECT weight FROM links WHERE key = ? AND other = ?`, [a, b], (row) => row.number(0))
}

/** Sets the weight of a new or existing link, then removes the excess links of both records. Returns the weight, or 0 if removed. */
export function setLink(database: Database, a: number, b: number, weight: number, stamp: Stamp): number {
  return changeLink(database, a, b, stamp, (state) => setWeight(state, weight, stamp))
}

/** Strengthens a new or existing link, likewise. */
export function strengthenLink(database: Database, a: number, b: number, delta: number, stamp: Stamp): number {
  return changeLink(database, a, b, stamp, (state) => addWeight(state, delta, stamp))
}

function changeLink(
  database: Database,
  a: number,
  b: number,
  stamp: Stamp,
  change: (state: LinkState) => LinkState,
): number {
  const keys = keysInOrder(database, a, b)
  writeLinkState(database, keys, change(readLinkState(database, keys) ?? newLink([0, 0])))
  prune(database, a, stamp)
  prune(database, b, stamp)
  return readWeight(database, a, b) ?? 0
}

/** Not called by merges: each device would remove links with a stamp of its own. So a merge may leave a record with more. */
function prune(database: Database, key: number, stamp: Stamp): void {
  const count = first(database, `SELECT count(*) FROM links WHERE key = ?`, [key], (row) => row.number(0)) ?? 0
  if (count <= tuning.maxLinks) return
  const links = readLinks(database, key)
  const keys = new Map(links.map((link) => [link.id, link.key]))
  for (const { id } of excessLinks(links)) {
    const pair = keysInOrder(database, key, keys.get(id) ?? -1)
    writeLinkState(database, pair, setWeight(newLink([0, 0]), 0, stamp))
  }
}

/** Applies `weakenedWeight` to every link in a few statements: SQLite multiplies doubles exactly as JavaScript does. */
export function weakenRows(
  database: Database,
  factor: number,
  takeStamp: () => Stamp,
): { weakened: number; pruned: number; ids: string[] } {
  const ids = all(
    database,
    `SELECT id FROM records WHERE key IN (SELECT DISTINCT key FROM links) ORDER BY id`,
    [],
    (row) => row.text(0),
  )
  if (ids.length === 0) return { weakened: 0, pruned: 0, ids }
  const rows = database.execute(`UPDATE links SET weight = weight * ?`, [factor])
  database.execute(
    `UPDATE link_states SET stamp = ?1, added = '[]', weight = CASE WHEN links.weight < ?2 THEN 0 ELSE links.weight END
      FROM links WHERE links.key = link_states.key AND links.other = link_states.other`,
    [JSON.stringify(portableStamp(takeStamp())), tuning.minLinkWeight],
  )
  const pruned = database.execute(`DELETE FROM links WHERE weight < ?`, [tuning.minLinkWeight])
  return { weakened: (rows - pruned) / 2, pruned: pruned / 2, ids }
}
