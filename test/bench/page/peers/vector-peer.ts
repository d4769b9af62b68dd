/** The common part of peers that know only vectors: rows for labels, and the records an app would show. */
import type { Ask } from '../contender.ts'
import type { Records } from '../load-collection.ts'
import type { Found } from './peer.ts'

/** Throws unless the question is for vectors. */
export function vectorOf({ mode, vector }: Ask, name: string): Float32Array {
  if (mode !== 'vector') throw new Error(`${name} knows vectors only`)
  return vector
}

export function foundRows({ records }: Records, rows: readonly number[]): Found {
  const found = rows.flatMap((row) => records[row] ?? [])
  return { ids: found.map(({ id }) => id), records: found }
}

/** Rows by tag. */
export function rowsByTag({ records }: Records): ReadonlyMap<string, ReadonlySet<number>> {
  const rows = new Map<string, Set<number>>()
  for (const [row, { tags }] of records.entries()) {
    for (const tag of tags) rows.set(tag, (rows.get(tag) ?? new Set<number>()).add(row))
  }
  return rows
}
