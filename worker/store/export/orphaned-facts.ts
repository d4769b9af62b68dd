/** Forgets extracted facts of which a merge left no source: a fact dies with the last of its turns, on every device [H5]. */
import { compareStamps } from '../../../src/core/merge/stamp.ts'
import { tombstoneMark } from '../../../src/core/merge/tombstone-mark.ts'
import { costs, type Steps } from '../../scheduling/steps.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import { type Forgotten, removeKeys } from '../rows/forget-records.ts'
import { readTombstone, writeTombstone } from '../rows/tombstone-rows.ts'
import type { WriteTarget } from '../rows/write-target.ts'

/** Their tombstones have the stamp of the last source, so that every device writes the same. */
export function* forgetOrphanedFacts(
  { database, textDeleted }: Pick<WriteTarget, 'database' | 'textDeleted'>,
  at: number,
): Steps<Forgotten> {
  const removed: number[] = []
  const changed: string[] = []
  const events: Forgotten['events'][number][] = []
  // Facts of such facts are found in the next turn.
  for (let keys = orphansOf(database); keys.size > 0; keys = orphansOf(database)) {
    const removing = { cost: costs.remove, removing: () => undefined, textDeleted }
    const forgotten = yield* removeKeys(database, keys, at, removing)
    removed.push(...forgotten.removed)
    changed.push(...forgotten.changed)
    events.push(...forgotten.events)
  }
  return { added: [], removed, changed, events }
}

/** Leaves a tombstone of each. */
function orphansOf(database: Database): ReadonlyMap<string, number> {
  const keys = new Map<string, number>()
  const isAny = first(database, `SELECT 1 FROM tombstones LIMIT 1`, [], () => true) ?? false
  if (!isAny) return keys
  const facts = all(database, factsSql, [], (row) => ({
    id: row.text(0),
    key: row.number(1),
    life: row.number(2),
    metadata: row.text(3),
  }))
  for (const { id, key, life, metadata } of facts) {
    if ((JSON.parse(metadata) as { extracted?: unknown }).extracted !== true) continue
    const ends = all(database, sourcesSql, [key], (row) => readTombstone(database, tombstoneMark(row.text(0))))
    const [last] = ends.flatMap((end) => end ?? []).sort((a, b) => compareStamps(b.stamp, a.stamp))
    if (last === undefined) continue
    writeTombstone(database, tombstoneMark(id), { life, stamp: last.stamp })
    keys.set(id, key)
  }
  return keys
}

/** Facts without a stored source. */
const factsSql = `SELECT r.id, r.key, r.life, r.metadata FROM records r WHERE r.kind = 'fact' AND NOT EXISTS (
    SELECT 1 FROM relations d JOIN records s ON s.id = d.target WHERE d.key = r.key AND d.kind = 'derived_from'
  ) ORDER BY r.id`
const sourcesSql = `SELECT target FROM relations WHERE key = ? AND kind = 'derived_from' ORDER BY target`
