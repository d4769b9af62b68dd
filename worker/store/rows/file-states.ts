/**
 * Stores the states of files that the app reports (`checkFiles`), and computes the freshness of records that reference them.
 * Freshness is never stored: it is computed from rows at the first request after a change.
 */

import { type FileCheck, type FileState, freshnessOf } from '../../../src/core/evidence/freshness.ts'
import type { Freshness } from '../../../src/core/model/result.ts'
import { all, type Database } from '../../sqlite/database.ts'
import { fileName } from './child-rows.ts'

export interface FileStates {
  /** By key, for records that reference a file with a cache state. */
  freshness(pick: 'worst' | 'first-stale'): ReadonlyMap<number, Freshness>
  /** Inside the caller's transaction. A new state replaces the stored one. Returns how many paths changed. */
  write(states: readonly FileCheck[], now: number): number
  /** To be called after a commit of records or states. */
  applied(): void
  bytes(): number
}

export function createFileStates(database: Database): FileStates {
  const cache = new Map<string, ReadonlyMap<number, Freshness>>()
  return {
    freshness(pick) {
      let freshness = cache.get(pick)
      if (freshness === undefined) {
        freshness = computeFreshness(database, pick)
        cache.set(pick, freshness)
      }
      return freshness
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
    applied: () => cache.clear(),
    bytes: () => [...cache.values()].reduce((sum, { size }) => sum + size * entryBytes, 0),
  }
}

/** Approximate bytes of a map entry from a number to a shared text. */
const entryBytes = 40

const upsertSql = `INSERT INTO file_states (path, present, sha256, mtime, git, seen_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (path) DO UPDATE SET present = excluded.present, sha256 = excluded.sha256, mtime = excluded.mtime,
    git = excluded.git, seen_at = excluded.seen_at
  WHERE present <> excluded.present OR sha256 IS NOT excluded.sha256 OR mtime IS NOT excluded.mtime OR git IS NOT excluded.git`

function computeFreshness(database: Database, pick: 'worst' | 'first-stale'): ReadonlyMap<number, Freshness> {
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
