/** The event times of records (`core/time/event-time.ts`): rows for each record whose time is not its creation. */
import { eventKinds, type EventText, type EventTime, eventTimesOf } from '../../../src/core/time/event-time.ts'
import { all, type Database, first } from '../../sqlite/database.ts'

/** Replaces the rows of a record. `isNew`: the record has none yet. */
export function writeEventTimes(
  database: Database,
  key: number,
  text: EventText,
  createdAt: number,
  isNew = false,
): void {
  if (!isNew) database.execute(`DELETE FROM event_times WHERE key = ?`, [key])
  for (const [place, { kind, from, before, rule }] of eventTimesOf(text, createdAt).entries()) {
    const row = [key, place, eventKinds.indexOf(kind), from, before, rule]
    database.execute(`INSERT INTO event_times VALUES (?, ?, ?, ?, ?, ?)`, row)
  }
}

/** Writes the rows of all records. */
export function refillEventTimes(database: Database): void {
  database.execute(`DELETE FROM event_times`)
  for (const key of all(database, `SELECT key FROM records`, [], (row) => row.number(0)))
    rebuildEventTimes(database, key)
}

/** Writes the rows of a stored record. */
export function rebuildEventTimes(database: Database, key: number): void {
  const read = readEventText(database, key)
  if (read !== undefined) writeEventTimes(database, key, read, read.createdAt)
}

/** The correct rows of a stored record. */
export function derivedEventTimes(database: Database, key: number): readonly EventTime[] {
  const read = readEventText(database, key)
  return read === undefined ? [] : eventTimesOf(read, read.createdAt)
}

function readEventText(database: Database, key: number) {
  const sql = `SELECT occurred_at, created_at, title, summary, body FROM records WHERE key = ?`
  return first(database, sql, [key], (row) => ({
    occurredAt: row.numberOrNull(0),
    createdAt: row.number(1),
    title: row.textOrNull(2),
    summary: row.textOrNull(3),
    body: row.textOrNull(4),
  }))
}
