/** Exact look-ups of the terms and paths channels: keys with how well they match. */
import type { Database } from '../../sqlite/database.ts'
import { fileName } from './write-records.ts'

/** Key → how many of the asked terms (folded) the record holds. */
export function keysByTerm(database: Database, folded: readonly string[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const term of folded) {
    database.each(`SELECT DISTINCT key FROM terms WHERE folded = ?`, [term], (row) =>
      found.set(row.number(0), (found.get(row.number(0)) ?? 0) + 1),
    )
  }
  return found
}

/** Key → 2 where a path equals one asked for, 1 where it ends in `/` and that path; case-folded. */
export function keysByFile(database: Database, paths: readonly string[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const path of paths) {
    const folded = path.replaceAll('\\', '/').toLowerCase()
    database.each(`SELECT key, path FROM files WHERE name = ?`, [fileName(folded)], (row) => {
      const stored = row.text(1).toLowerCase()
      const strength = stored === folded ? 2 : stored.endsWith(`/${folded}`) ? 1 : 0
      const key = row.number(0)
      if (strength > (found.get(key) ?? 0)) found.set(key, strength)
    })
  }
  return found
}
