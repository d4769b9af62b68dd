/** The standing requests that records state (`core/ingest/standing-cues.ts`): a row for each record that states one. Derived from the text. */
import { standingOf } from '../../../src/core/ingest/standing-cues.ts'
import type { StandingKind } from '../../../src/core/model/query.ts'
import { all, type Database, first } from '../../sqlite/database.ts'

type Texts = Parameters<typeof standingOf>[0]

/** Replaces the row of a record. `isNew`: the record has none yet. */
export function writeStanding(database: Database, key: number, texts: Texts, isNew = false): void {
  if (!isNew) database.execute(`DELETE FROM standing WHERE key = ?`, [key])
  const kind = standingOf(texts)
  if (kind !== null) database.execute(`INSERT INTO standing VALUES (?, ?)`, [key, kind])
}

/** Writes the rows of all records. */
export function refillStanding(database: Database): void {
  database.execute(`DELETE FROM standing`)
  for (const key of all(database, `SELECT key FROM records`, [], (row) => row.number(0))) rebuildStanding(database, key)
}

/** Writes the row of a stored record. */
export function rebuildStanding(database: Database, key: number): void {
  const texts = readTexts(database, key)
  if (texts !== undefined) writeStanding(database, key, texts)
}

/** The correct row of a stored record; null if it must have none. */
export function derivedStanding(database: Database, key: number): StandingKind | null {
  const texts = readTexts(database, key)
  return texts === undefined ? null : standingOf(texts)
}

function readTexts(database: Database, key: number) {
  return first(database, `SELECT title, summary, body, instruction FROM records WHERE key = ?`, [key], (row) => ({
    title: row.textOrNull(0),
    summary: row.textOrNull(1),
    body: row.textOrNull(2),
    instruction: row.textOrNull(3),
  }))
}
