/**
 * Tracks which records have no vectors of the current space, and why: their vectors are pending, belong to other spaces, or never
 * existed. Read from rows at the first request, then updated after each commit.
 */

import { pendingVectors } from '../../../src/core/ingest/plan-write.ts'
import type { Database } from '../../sqlite/database.ts'
import type { Committed } from '../port/committed.ts'
import type { LackingCounts } from '../port/vectors.ts'
import type { AddedRow } from '../rows/added-rows.ts'
import { keptMark } from '../rows/embed-rows.ts'
import { isPendingMarked } from '../rows/pending-mark.ts'

type Kind = keyof LackingCounts

export interface LackingVectors {
  counts(): LackingCounts
  /** `counts().pending`, without reading records if none was ever pending. */
  pending(): number
  /** To be called after a commit. */
  follow(changes: Pick<Committed, 'added' | 'removed'>, rows: readonly AddedRow[]): void
  /** Reads everything again at the next request. */
  renew(): void
}

/** The rows of the chosen embedding space, and of the one of stand-in vectors; null if none. */
export function createLackingVectors(
  database: Database,
  space: () => number | null,
  standIn: () => number | null = () => null,
): LackingVectors {
  let kinds: Map<number, Kind> | null = null
  /** Whether the store is marked as having pending records; null: not read yet. */
  let marked: boolean | null = null
  const totals = { pending: 0, kept: 0, otherSpaces: 0, none: 0 }

  const set = (key: number, kind: Kind | undefined) => {
    const before = kinds?.get(key)
    if (before !== undefined) totals[before] -= 1
    if (kind === undefined) kinds?.delete(key)
    else {
      kinds?.set(key, kind)
      totals[kind] += 1
    }
  }
  const load = () => {
    if (kinds !== null) return
    kinds = new Map()
    Object.assign(totals, { pending: 0, kept: 0, otherSpaces: 0, none: 0 })
    const own = `${space() ?? 0}:`
    const other = standInPrefix()
    database.each(
      `SELECT key, vectors_hash FROM records WHERE vectors_hash IS NULL OR substr(vectors_hash, 1, length(?1)) <> ?1`,
      [own],
      (row) => set(row.number(0), kindOf(row.textOrNull(1), own, other)),
    )
  }

  const standInPrefix = () => (standIn() === null ? null : `${standIn()}:text:`)

  return {
    counts() {
      load()
      return { ...totals }
    },
    pending() {
      // Stand-in vectors are not marked.
      if (kinds === null && standIn() === null) {
        marked ??= isPendingMarked(database)
        if (!marked) return 0
      }
      load()
      return totals.pending
    },
    follow({ added, removed }, rows) {
      if (kinds === null) {
        // An added record without vectors may be the first pending one.
        if (added.some(({ codes }) => codes.length === 0)) marked = null
        return
      }
      for (const key of removed) set(key, undefined)
      const own = `${space() ?? 0}:`
      const other = standInPrefix()
      for (const { key, vectorsHash } of rows) set(key, kindOf(vectorsHash, own, other))
    },
    renew() {
      kinds = null
      marked = null
    },
  }
}

/** `standIn`: how digests of stand-in vectors begin; null without any. */
function kindOf(hash: string | null, own: string, standIn: string | null): Kind | undefined {
  if (hash === null) return 'none'
  if (hash === pendingVectors) return 'pending'
  if (standIn !== null && hash.startsWith(standIn)) return hash.endsWith(keptMark) ? 'kept' : 'pending'
  return hash.startsWith(own) ? undefined : 'otherSpaces'
}
