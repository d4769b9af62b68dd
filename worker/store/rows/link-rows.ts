/** Reads and writes links. Each undirected link is two rows, so that all links of a record are adjacent in the table. */
import { excessLinks } from '../../../src/core/learning/co-occurrence.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import type { KeyedLink } from '../port/learning.ts'

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
export function writeLink(database: Database, a: number, b: number, weight: number): number {
  for (const [key, other] of [
    [a, b],
    [b, a],
  ] as const) {
    database.execute(
      `INSERT INTO links VALUES (?, ?, ?) ON CONFLICT (key, other) DO UPDATE SET weight = excluded.weight`,
      [key, other, weight],
    )
  }
  prune(database, a)
  prune(database, b)
  return readWeight(database, a, b) ?? 0
}

function prune(database: Database, key: number): void {
  const count = first(database, `SELECT count(*) FROM links WHERE key = ?`, [key], (row) => row.number(0)) ?? 0
  if (count <= tuning.maxLinks) return
  const links = readLinks(database, key)
  const keys = new Map(links.map((link) => [link.id, link.key]))
  for (const { id } of excessLinks(links)) {
    const other = keys.get(id) ?? -1
    database.execute(`DELETE FROM links WHERE key = ? AND other = ?`, [key, other])
    database.execute(`DELETE FROM links WHERE key = ? AND other = ?`, [other, key])
  }
}

/** Applies `weakenedWeight` to every link in two statements: SQLite multiplies doubles exactly as JavaScript does. */
export function weakenRows(database: Database, factor: number): { weakened: number; pruned: number; ids: string[] } {
  const ids = all(
    database,
    `SELECT id FROM records WHERE key IN (SELECT DISTINCT key FROM links) ORDER BY id`,
    [],
    (row) => row.text(0),
  )
  if (ids.length === 0) return { weakened: 0, pruned: 0, ids }
  const rows = database.execute(`UPDATE links SET weight = weight * ?`, [factor])
  const pruned = database.execute(`DELETE FROM links WHERE weight < ?`, [tuning.minLinkWeight])
  return { weakened: (rows - pruned) / 2, pruned: pruned / 2, ids }
}
