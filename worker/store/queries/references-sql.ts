/** Exact look-ups for the channels of terms and paths. */
import type { Database } from '../../sqlite/database.ts'
import { fileName } from '../rows/child-rows.ts'

/** Key → how many of the terms (folded) the record has. */
export function keysByTerm(database: Database, folded: readonly string[]): ReadonlyMap<number, number> {
  const matches = new Map<number, number>()
  for (const term of folded) {
    database.each(`SELECT DISTINCT key FROM terms WHERE folded = ?`, [term], (row) =>
      matches.set(row.number(0), (matches.get(row.number(0)) ?? 0) + 1),
    )
  }
  return matches
}

/** Key → 2 if a path of the record equals one of `paths`, 1 if it ends in `/` plus one of them. Ignores case. */
export function keysByFile(database: Database, paths: readonly string[]): ReadonlyMap<number, number> {
  const matches = new Map<number, number>()
  for (const path of paths) {
    const folded = path.replaceAll('\\', '/').toLowerCase()
    database.each(`SELECT key, path FROM files WHERE name = ?`, [fileName(folded)], (row) => {
      const stored = row.text(1).toLowerCase()
      const strength = stored === folded ? 2 : stored.endsWith(`/${folded}`) ? 1 : 0
      const key = row.number(0)
      if (strength > (matches.get(key) ?? 0)) matches.set(key, strength)
    })
  }
  return matches
}
