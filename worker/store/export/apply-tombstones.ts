/** Applies the tombstones of an import: forgets the records whose lives they end and states of files, and keeps them for records that come later. */
import { mergeTombstones } from '../../../src/core/merge/lives.ts'
import { compareStamps } from '../../../src/core/merge/stamp.ts'
import { fileMark, tombstoneMark } from '../../../src/core/merge/tombstone-mark.ts'
import type { MarkedTombstone } from '../../export-format/versions.ts'
import { costs, createPace, type Steps } from '../../scheduling/steps.ts'
import { all, type Database } from '../../sqlite/database.ts'
import { readFileStates, stampOfFile } from '../rows/file-states.ts'
import { type Forgotten, removeKeys } from '../rows/forget-records.ts'
import { readTombstone, writeTombstone } from '../rows/tombstone-rows.ts'
import type { WriteTarget } from '../rows/write-target.ts'

/** `files`: how many states of files were removed. */
export function* applyTombstones(
  { database, textDeleted }: Pick<WriteTarget, 'database' | 'textDeleted'>,
  tombstones: readonly MarkedTombstone[],
  at: number,
): Steps<Forgotten & { readonly files: number }> {
  const byMark = new Map(tombstones.map((tombstone) => [tombstone.mark, tombstone]))
  const keys = new Map<string, number>()
  const pace = createPace()
  for (const [i, { id, key, life }] of (byMark.size === 0 ? [] : readLives(database)).entries()) {
    if (pace.isDue(costs.read)) yield i
    const mark = tombstoneMark(id)
    const tombstone = byMark.get(mark)
    if (tombstone === undefined) continue
    if (tombstone.life >= life) keys.set(id, key)
    // The record lives a later life.
    else byMark.delete(mark)
  }
  let files = 0
  for (const file of byMark.size === 0 ? [] : readFileStates(database)) {
    const mark = fileMark(file.path)
    const tombstone = byMark.get(mark)
    if (tombstone === undefined) continue
    if (compareStamps(tombstone.stamp, stampOfFile(file)) < 0) byMark.delete(mark)
    else files += database.execute(`DELETE FROM file_states WHERE path = ?`, [file.path])
  }
  for (const [mark, tombstone] of byMark) {
    if (pace.isDue(costs.read)) yield keys.size
    const own = readTombstone(database, mark)
    writeTombstone(database, mark, own === undefined ? tombstone : mergeTombstones(own, tombstone))
  }
  const removing = { cost: costs.remove, removing: () => undefined, textDeleted }
  return { ...(yield* removeKeys(database, keys, at, removing)), files }
}

function readLives(database: Database) {
  return all(database, `SELECT id, key, life FROM records ORDER BY id`, [], (row) => ({
    id: row.text(0),
    key: row.number(1),
    life: row.number(2),
  }))
}
