/**
 * Keeps the earlier version of each record that a transaction changes, whichever write changes it: temporary triggers read the record before its first
 * change, and the end of the transaction stores what differs [H4].
 */
import type { Stamp } from '../../../src/core/merge/stamp.ts'
import { createPace, costs, type Steps } from '../../scheduling/steps.ts'
import { type Database, first } from '../../sqlite/database.ts'
import { defineFunction } from '../../sqlite/define-function.ts'
import type { SqliteDatabase } from '../../sqlite/sqlite-database.ts'
import { exportTriggers } from '../export/export.ts'
import type { NewEvent } from '../rows/event-rows.ts'
import { readFrames } from '../rows/read-block.ts'
import { lastUntil, withoutPairs, writeVersion } from '../rows/versions/version-rows.ts'

export interface HistoryKeeper {
  /** ms: moments from here on are known as they were. Earlier writes were not kept. */
  readonly since: number
  begin(): void
  /** Stores the versions that the transaction replaced. */
  end(revision: number, events: readonly NewEvent[]): Steps<void>
}

/** By id: a record before the transaction; null if it did not exist. */
type Before = Map<string, Uint8Array<ArrayBuffer> | null>

export function keepHistory(writer: SqliteDatabase, database: Database, clock: () => Stamp): HistoryKeeper {
  const before: Before = new Map()
  watch(writer, before)
  const followed = setting(database, 'historyClock') === clockText(clock())
  // A store that was written without history since: what it was before the last of these writes is not known.
  const since = followed ? Number(setting(database, 'historySince')) : lastWrite(database, clock())
  return {
    since,
    begin: () => before.clear(),
    *end(revision, events) {
      const now = events.reduce((latest, { at }) => Math.max(latest, at), Number.NEGATIVE_INFINITY)
      // The order of versions is that of the writes, whatever their clocks say.
      const untilAt = Math.max(lastUntil(database), now)
      const isGone = (id: string) => keyOf(database, id) === undefined
      const someGone = [...before.keys()].some(isGone)
      const pace = createPace()
      for (const [id, earlier] of before) {
        if (pace.isDue(costs.read)) yield 0
        const key = keyOf(database, id)
        if (key === undefined) continue
        // What a version says of a forgotten record is forgotten with it.
        const content = earlier !== null && someGone ? withoutPairs(earlier, isGone) : earlier
        if (content !== null && isEqual(content, readFrames(database, key)!)) continue
        writeVersion(database, { id, untilAt, untilRevision: revision, content })
      }
      before.clear()
      note(database, 'historySince', since)
      note(database, 'historyClock', clockText(clock()))
    },
  }
}

function watch(writer: SqliteDatabase, before: Before): void {
  defineFunction(writer, { name: 'history_keep', length: 1 }, (key) => {
    const id = first(writer, `SELECT id FROM records WHERE key = ?`, [Number(key)], (row) => row.text(0))
    if (id !== undefined && !before.has(id)) before.set(id, readFrames(writer, Number(key)))
    return null
  })
  // As hexadecimal digits, because texts with a NUL would be cut off.
  defineFunction(writer, { name: 'history_absent', length: 1 }, (hex) => {
    const id = decoder.decode(Uint8Array.from(String(hex).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16)))
    if (!before.has(id)) before.set(id, null)
    return null
  })
  // A record that is deleted has no past, also if another one takes its id.
  defineFunction(writer, { name: 'history_gone', length: 1 }, (key) => {
    const id = first(writer, `SELECT id FROM records WHERE key = ?`, [Number(key)], (row) => row.text(0))
    if (id !== undefined) before.set(id, null)
    return null
  })
  const watched = exportTriggers.filter((own) => !/^export_(file_states|tombstones)_/.test(own))
  for (const statement of watched)
    writer.execute(
      `CREATE TEMP TRIGGER IF NOT EXISTS ${statement
        .replace(/^(export_gone .*?)export_keep\(old\.key\)/s, '$1export_gone(old.key)')
        .replaceAll('export_', 'history_')
        .replace('history_absent(new.id)', 'history_absent(hex(new.id))')}`,
    )
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function keyOf(database: Database, id: string): number | undefined {
  return first(database, `SELECT key FROM records WHERE id = ?`, [id], (row) => row.number(0))
}

/** ms; far in the past if nothing was ever written. */
function lastWrite(database: Database, clock: Stamp): number {
  const sql = `SELECT max(updated_at) FROM records`
  const latest = first(database, sql, [], (row) => row.numberOrNull(0))
  return Math.max(clock.at, latest ?? Number.NEGATIVE_INFINITY)
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

function clockText({ at, count }: Stamp): string {
  return JSON.stringify([at, count])
}

function setting(database: Database, name: string): string | undefined {
  return first(database, `SELECT value FROM settings WHERE name = ?`, [name], (row) => row.text(0))
}

function note(database: Database, name: string, value: string | number): void {
  database.execute(`INSERT OR REPLACE INTO settings VALUES (?, ?)`, [name, value])
}
