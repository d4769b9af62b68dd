/** The passages of long bodies (`core/text/passages/`): a row for each record whose body has several. Derived from the text. */
import { passageBorders } from '../../../src/core/text/passages/passage-borders.ts'
import { passageLengths } from '../../../src/core/text/passages/split-passages.ts'
import { all, type Database, first } from '../../sqlite/database.ts'

/** Replaces the row of a record. `isNew`: the record has none yet. */
export function writePassages(database: Database, key: number, body: string | null, isNew = false): void {
  if (!isNew) database.execute(`DELETE FROM passages WHERE key = ?`, [key])
  const borders = passageBorders(body ?? '')
  if (borders !== null) database.execute(`INSERT INTO passages VALUES (?, ?)`, [key, bytesOf(borders)])
}

/** Writes the rows of all records, one text at a time. */
export function refillPassages(database: Database): void {
  database.execute(`DELETE FROM passages`)
  for (const key of all(database, longSql, [passageLengths.whole], (row) => row.number(0)))
    rebuildPassages(database, key)
}

/** A code point is at most two UTF-16 units. */
const longSql = `SELECT key FROM records WHERE length(body) * 2 > ?`

/** Writes the row of a stored record. */
export function rebuildPassages(database: Database, key: number): void {
  writePassages(database, key, bodyOf(database, key))
}

/** The correct row of a stored record; null if it must have none. */
export function derivedPassages(database: Database, key: number): Uint8Array | null {
  const borders = passageBorders(bodyOf(database, key) ?? '')
  return borders === null ? null : bytesOf(borders)
}

function bodyOf(database: Database, key: number): string | null {
  return first(database, `SELECT body FROM records WHERE key = ?`, [key], (row) => row.textOrNull(0)) ?? null
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
