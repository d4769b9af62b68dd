/** The event times of records (`core/time/event-time.ts`): a row for each record whose time is not its creation. */
import { type EventText, type EventTime, eventTimeOf } from '../../../src/core/time/event-time.ts'
import { all, type Database, first } from '../../sqlite/database.ts'

/** Replaces the row of a record. `isNew`: the record has none yet. */
export function writeEventTime(
  database: Database,
  key: number,
  text: EventText,
  createdAt: number,
  isNew = false,
): void {
  if (!isNew) database.execute(`DELETE FROM event_times WHERE key = ?`, [key])
  const event = eventTimeOf(text, createdAt)
  if (event !== null) database.execute(`INSERT INTO event_times VALUES (?, ?, ?)`, [key, event.from, event.before])
}

/** Writes the rows of all records. */
export function refillEventTimes(database: Database): void {
  database.execute(`DELETE FROM event_times`)
  for (const key of all(database, `SELECT key FROM records`, [], (row) => row.number(0)))
    rebuildEventTime(database, key)
}

/** Writes the row of a stored record. */
export function rebuildEventTime(database: Database, key: number): void {
  const read = readEventText(database, key)
  if (read !== undefined) writeEventTime(database, key, read, read.createdAt)
}

/** The correct row of a stored record; null if it must have none. */
export function derivedEventTime(database: Database, key: number): EventTime | null {
  const read = readEventText(database, key)
  return read === undefined ? null : eventTimeOf(read, read.createdAt)
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
