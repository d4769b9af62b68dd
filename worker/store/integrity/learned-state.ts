/** Checks and rebuilds what derives from reports and from states of links: learned state, and the weights of links. */
import { weightOf } from '../../../src/core/merge/links.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { all, type Database } from '../../sqlite/database.ts'
import { readLearned } from '../rows/learned/learned-rows.ts'
import { readWeight } from '../rows/learned/link-rows.ts'
import { type LinkedKeys, readLinkState, writeLinkState } from '../rows/learned/link-states.ts'
import { computeLearned, deriveLearned, hasLearned, readReports } from '../rows/learned/report-rows.ts'

export function learnedProblems(database: Database, key: number): readonly string[] {
  return [
    ...(isLearnedRight(database, key) ? [] : ['learned state']),
    ...(areLinksRight(database, key) ? [] : ['weights of links']),
  ]
}

export function rebuildLearned(database: Database, key: number): void {
  if (hasLearned(database, key)) deriveLearned(database, key)
  for (const other of unstatedLinks(database, key))
    database.execute(`DELETE FROM links WHERE ?1 IN (key, other) AND ?2 IN (key, other)`, [key, other])
  for (const keys of linksOf(database, key)) writeLinkState(database, keys, readLinkState(database, keys)!)
}

function isLearnedRight(database: Database, key: number): boolean {
  if (!hasLearned(database, key)) return true
  const computed = computeLearned(database, key, readReports(database, key))
  return canonicalJson(readLearned(database, key)) === canonicalJson(computed)
}

function areLinksRight(database: Database, key: number): boolean {
  const isRight = ([smaller, greater]: LinkedKeys) => {
    const weight = weightOf(readLinkState(database, [smaller, greater])!)
    return [
      [smaller, greater],
      [greater, smaller],
    ].every(([a, b]) => (readWeight(database, a!, b!) ?? 0) === weight)
  }
  return unstatedLinks(database, key).length === 0 && linksOf(database, key).every(isRight)
}

/** The links whose smaller id is that of the record: each link is checked once. */
function linksOf(database: Database, key: number): readonly LinkedKeys[] {
  return all(database, `SELECT key, other FROM link_states WHERE key = ?`, [key], (row) => [
    row.number(0),
    row.number(1),
  ])
}

/** The other ends of weights that no state explains. */
function unstatedLinks(database: Database, key: number): readonly number[] {
  return all(
    database,
    `SELECT other FROM links WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM link_states s
      WHERE (s.key = ?1 AND s.other = links.other) OR (s.key = links.other AND s.other = ?1))`,
    [key],
    (row) => row.number(0),
  )
}
