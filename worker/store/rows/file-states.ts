/**
 * What the app knows of files (`checkFiles`), and the freshness that follows from it for the records that speak of them.
 * Freshness itself is never stored; it is worked out from rows when first asked for, and again when they changed.
 */

import { type FileCheck, type FileState, freshnessOf } from '../../../src/core/evidence/freshness.ts'
import type { Freshness } from '../../../src/core/model/result.ts'
import { all, type Database } from '../../sqlite/database.ts'
import { fileName } from './write-records.ts'

export interface FileStates {
  /** By key, for records that reference a file of which something is known. */
  freshness(pick: 'worst' | 'first-stale'): ReadonlyMap<number, Freshness>
  /** Inside the caller's transaction: later knowledge of a path replaces earlier. Returns how many paths changed. */
  write(states: readonly FileCheck[], now: number): number
  /** After a commit of records or states. */
  applied(): void
  bytes(): number
}

export function createFileStates(database: Database): FileStates {
  const known = new Map<string, ReadonlyMap<number, Freshness>>()
  return {
    freshness(pick) {
      let found = known.get(pick)
      if (found === undefined) {
        found = workOut(database, pick)
        known.set(pick, found)
      }
      return found
    },
    write(states, now) {
      let changed = 0
      for (const state of states) {
        if (state.exists === null) {
          changed += database.execute(`DELETE FROM file_states WHERE path = ?`, [state.path])
          continue
        }
        const { path, exists, sha256 = null, mtime = null, git = null } = state
        changed += database.execute(upsertSql, [path, exists ? 1 : 0, sha256, mtime, git, now])
      }
      return changed
    },
    applied: () => known.clear(),
    bytes: () => [...known.values()].reduce((sum, { size }) => sum + size * entryBytes, 0),
  }
}

/** About what an entry of a map from numbers to shared texts takes. */
const entryBytes = 40

const upsertSql = `INSERT INTO file_states (path, present, sha256, mtime, git, seen_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (path) DO UPDATE SET present = excluded.present, sha256 = excluded.sha256, mtime = excluded.mtime,
    git = excluded.git, seen_at = excluded.seen_at
  WHERE present <> excluded.present OR sha256 IS NOT excluded.sha256 OR mtime IS NOT excluded.mtime OR git IS NOT excluded.git`

function workOut(database: Database, pick: 'worst' | 'first-stale'): ReadonlyMap<number, Freshness> {
  const states = new Map<string, FileState>()
  database.each(`SELECT path, present, sha256, mtime, git FROM file_states`, [], (row) =>
    states.set(row.text(0), {
      path: row.text(0),
      exists: row.number(1) === 1,
      sha256: row.textOrNull(2),
      mtime: row.numberOrNull(3),
      git: row.textOrNull(4),
    }),
  )
  const keys = new Set<number>()
  for (const path of states.keys()) {
    database.each(`SELECT key FROM files WHERE name = ? AND path = ?`, [fileName(path), path], (row) =>
      keys.add(row.number(0)),
    )
  }
  const freshness = new Map<number, Freshness>()
  for (const key of keys) {
    const files = all(
      database,
      `SELECT path, sha256, mtime, existed, git FROM files WHERE key = ? ORDER BY position`,
      [key],
      (row) => ({
        path: row.text(0),
        sha256: row.textOrNull(1),
        mtime: row.numberOrNull(2),
        existed: row.number(3) === 1,
        git: row.textOrNull(4),
      }),
    )
    database.each(`SELECT created_at FROM records WHERE key = ?`, [key], (row) =>
      freshness.set(key, freshnessOf(files, states, row.number(0), { pick })),
    )
  }
  return freshness
}
