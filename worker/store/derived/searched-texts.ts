/** Reads the texts that are searched for substrings, by ascending key: of all records in two statements, or of a few records. */
import { all, type Database, type Row } from '../../sqlite/database.ts'
import { childBits } from '../rows/read-records.ts'
import type { VisitTexts } from './substring-index.ts'

/** `keys` must ascend; null reads all. Keys without a record are skipped. */
export function eachText(database: Database, keys: readonly number[] | null, visit: VisitTexts): void {
  const read = (row: Row, pathsOf: (key: number) => readonly string[]) =>
    visit(row.number(0), {
      instruction: row.textOrNull(1),
      body: row.textOrNull(2),
      command: row.textOrNull(3),
      paths: (row.number(4) & childBits.files) === 0 ? [] : pathsOf(row.number(0)),
    })
  if (keys === null) {
    const paths = allPaths(database)
    database.each(`${select} ORDER BY key`, [], (row) => read(row, (key) => paths.get(key) ?? []))
    return
  }
  const pathsOf = (key: number) =>
    all(database, `SELECT path FROM files WHERE key = ? ORDER BY position`, [key], (row) => row.text(0))
  for (const key of keys) database.each(`${select} WHERE key = ?`, [key], (row) => read(row, pathsOf))
}

const select = `SELECT key, instruction, body, command, children FROM records`

function allPaths(database: Database): ReadonlyMap<number, readonly string[]> {
  const paths = new Map<number, string[]>()
  database.each(`SELECT key, path FROM files ORDER BY key, position`, [], (row) => {
    const key = row.number(0)
    const pathsOfKey = paths.get(key)
    if (pathsOfKey === undefined) paths.set(key, [row.text(1)])
    else pathsOfKey.push(row.text(1))
  })
  return paths
}
