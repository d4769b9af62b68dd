/**
 * Stores the states of files that the app reports (`checkFiles`), and computes the freshness of records that reference them.
 * Freshness is never stored: it is computed from rows at the first request after a change.
 */

import { type FileCheck, type FileState, freshnessOf } from '../../../src/core/evidence/freshness.ts'
import { type PortableStamp, portableStamp, stampFrom, unstamped } from '../../../src/core/merge/portable-stamp.ts'
import { compareStamps, type Stamp } from '../../../src/core/merge/stamp.ts'
import { fileMark } from '../../../src/core/merge/tombstone-mark.ts'
import type { Freshness } from '../../../src/core/model/result.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import type { PortableFile } from '../../export-format/block.ts'
import { all, type Database, type Row } from '../../sqlite/database.ts'
import { fileName } from './child-rows.ts'
import { readTombstone, removeTombstone, writeTombstone } from './tombstone-rows.ts'

export interface FileStates {
  /** By key, for records that reference a file with a cache state. */
  freshness(pick: 'worst' | 'first-stale'): ReadonlyMap<number, Freshness>
  /**
   * Inside the caller's transaction. A new state replaces the stored one, and takes a stamp; a removed one leaves a tombstone without the path.
   * Returns the paths that changed.
   */
  write(states: readonly FileCheck[], now: number, takeStamp: (nowMs: number) => Stamp): readonly string[]
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
    write(states, now, takeStamp) {
      const changed = states.filter((state) => isNews(database, state))
      if (changed.length === 0) return []
      const stamp = takeStamp(now)
      for (const state of changed) {
        if (state.exists === null) {
          database.execute(`DELETE FROM file_states WHERE path = ?`, [state.path])
          writeTombstone(database, fileMark(state.path), { life: 0, stamp })
        } else {
          const { path, exists, sha256 = null, mtime = null, git = null } = state
          writeFileState(database, { path, exists, sha256, mtime, git, seenAt: now, stamp: portableStamp(stamp) })
        }
      }
      return changed.map(({ path }) => path)
    },
    applied: () => cache.clear(),
    bytes: () => [...cache.values()].reduce((sum, { size }) => sum + size * entryBytes, 0),
  }
}

/** Approximate bytes of a map entry from a number to a shared text. */
const entryBytes = 40

/** Whether a reported state differs from the stored one. */
function isNews(database: Database, state: FileCheck): boolean {
  const stored = readFileStates(database, state.path)[0]
  if (state.exists === null || stored === undefined) return (state.exists !== null) !== (stored !== undefined)
  const { exists, sha256, mtime, git } = stored
  return (
    exists !== state.exists ||
    sha256 !== (state.sha256 ?? null) ||
    mtime !== (state.mtime ?? null) ||
    git !== (state.git ?? null)
  )
}

/** All states by path, or that of one path. */
export function readFileStates(database: Database, path?: string): PortableFile[] {
  return all(
    database,
    `SELECT path, present, sha256, mtime, git, seen_at, stamp FROM file_states ${path === undefined ? '' : 'WHERE path = ?'} ORDER BY path`,
    path === undefined ? [] : [path],
    (row) => {
      const stamp = row.textOrNull(6)
      return { ...toFile(row), ...(stamp === null ? {} : { stamp: JSON.parse(stamp) as PortableStamp }) }
    },
  )
}

/** The first six columns of `file_states`, which every version of the table has. */
export function toFile(row: Row): PortableFile {
  return {
    path: row.text(0),
    exists: row.number(1) === 1,
    sha256: row.textOrNull(2),
    mtime: row.numberOrNull(3),
    git: row.textOrNull(4),
    seenAt: row.number(5),
  }
}

/** Replaces the state of a path, or its tombstone. */
export function writeFileState(database: Database, file: PortableFile): void {
  const { path, exists, sha256, mtime, git, seenAt, stamp } = file
  database.execute(`INSERT OR REPLACE INTO file_states VALUES (?, ?, ?, ?, ?, ?, ?)`, [
    path,
    exists ? 1 : 0,
    sha256 ?? null,
    mtime ?? null,
    git ?? null,
    seenAt,
    stamp === undefined ? null : JSON.stringify(stamp),
  ])
  removeTombstone(database, fileMark(path))
}

/** Merges a state of another device: the later one stays, also against a removal. Returns whether it is new here. */
export function mergeFileState(database: Database, file: PortableFile): boolean {
  const tombstone = readTombstone(database, fileMark(file.path))
  const stored = readFileStates(database, file.path)[0]
  if (tombstone !== undefined && compareStamps(tombstone.stamp, stampOfFile(file)) >= 0) return false
  if (stored !== undefined && compareFiles(stored, file) >= 0) return false
  writeFileState(database, file)
  return true
}

/** The stamp of a state; older versions kept none. */
export function stampOfFile({ stamp, seenAt }: PortableFile): Stamp {
  return stamp === undefined ? unstamped(seenAt) : stampFrom(stamp)
}

function compareFiles(a: PortableFile, b: PortableFile): number {
  return compareStamps(stampOfFile(a), stampOfFile(b)) || compareCodePoints(canonicalJson(a), canonicalJson(b))
}

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
