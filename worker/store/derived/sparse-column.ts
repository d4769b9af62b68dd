/** A column of facts that few records have, by key. */
import type { Database, Row } from '../../sqlite/database.ts'

/** What a commit does to a column. */
export interface Column {
  forget(key: number): void
  read(key: number): void
  bytes?(): number
  /** Whether it holds texts, which must not outlive their records. */
  readonly holdsText?: true
}

export interface Sparse<T> extends Column {
  readonly entries: ReadonlyMap<number, T>
}

/** `sql` must select the key first, and contain `:one` where a condition on the key is inserted. */
export function createSparse<Part, T>(
  database: Database,
  sql: string,
  read: (row: Row) => Part,
  merge: (parts: readonly Part[]) => T,
): Sparse<T> {
  const entries = new Map<number, T>()
  const load = (condition: string, bind: readonly number[]) => {
    const parts = new Map<number, Part[]>()
    database.each(sql.replaceAll(':one', condition), bind, (row) => {
      const key = row.number(0)
      const list = parts.get(key)
      if (list === undefined) parts.set(key, [read(row)])
      else list.push(read(row))
    })
    for (const [key, list] of parts) entries.set(key, merge(list))
  }
  load('', [])
  return {
    entries,
    forget: (key) => entries.delete(key),
    read: (key) => load('AND r.key = ?1', [key]),
    bytes: () => entries.size * sparseEntryBytes,
  }
}

/** Approximate bytes of a map entry with an object of a few fields. */
const sparseEntryBytes = 200
