/**
 * The counters of a store besides its revision: the next key, and the hybrid logical clock from which changes take stamps. Both are kept in
 * memory, written with each transaction that used them, and restored when one fails. The device of the stamps belongs to one file: a copy of the
 * file is another device [R12].
 */
import { clockAfter, nextStamp, type Stamp, startClock } from '../../src/core/merge/stamp.ts'
import { type Database, first } from '../sqlite/database.ts'
import { randomDevice } from './migrations/0006-merge.ts'
import { parseStoredList } from './rows/stored-json.ts'

export interface Counts {
  readonly nextKey: number
  /** The last stamp that the store took or saw. */
  readonly clock: Stamp
  /** False until the store has the device of the clock, and the file to which it belongs. */
  readonly isOwn: boolean
}

export interface Counters {
  now(): Counts
  /** Restores the values of an earlier `now`. */
  restore(earlier: Counts): void
  takeKey(): number
  /** The stamp of a change at this time (ms). */
  takeStamp(nowMs: number): Stamp
  /** The stamps taken later exceed this one. */
  seeStamp(stamp: Stamp): void
  /** Writes the keys and stamps taken since the last write. */
  save(since: Counts): void
}

/**
 * `file`: names the file of the store, null if it is in none. If the store was last written in another file, its stamps are those of a new device,
 * which the first transaction that takes one stores: opening a store writes nothing.
 */
export function createCounters(database: Database, file: string | null = null): Counters {
  let counts = readCounts(database, file)
  return {
    now: () => counts,
    restore: (earlier) => void (counts = earlier),
    takeKey() {
      const { nextKey } = counts
      counts = { ...counts, nextKey: nextKey + 1 }
      return nextKey
    },
    takeStamp(nowMs) {
      counts = { ...counts, clock: nextStamp(counts.clock, nowMs) }
      return counts.clock
    },
    seeStamp(stamp) {
      counts = { ...counts, clock: clockAfter(counts.clock, stamp) }
    },
    save(since) {
      const { nextKey, clock } = counts
      if (nextKey !== since.nextKey) database.execute(`UPDATE settings SET value = ? WHERE name = 'nextKey'`, [nextKey])
      if (clock === since.clock) return
      if (!counts.isOwn) {
        for (const [name, value] of Object.entries({ device: clock.device, file }))
          database.execute(`INSERT OR REPLACE INTO settings VALUES (?, ?)`, [name, value])
        counts = { ...counts, isOwn: true }
      }
      database.execute(`INSERT OR REPLACE INTO settings VALUES ('clock', ?)`, [JSON.stringify([clock.at, clock.count])])
    },
  }
}

function readCounts(database: Database, file: string | null): Counts {
  const stored = (name: string) =>
    first(database, `SELECT value FROM settings WHERE name = ?`, [name], (row) => row.text(0))
  const isOwn = file === null || stored('file') === file
  const device = isOwn ? (stored('device') ?? '') : newDevice(database)
  const [at, count = 0] = parseStoredList('clock', stored('clock') ?? '[]', 'number')
  const clock = at === undefined ? startClock(device) : { at, count, device }
  return { nextKey: Number(stored('nextKey')), clock, isOwn }
}

function newDevice(database: Database): string {
  return first(database, `SELECT ${randomDevice}`, [], (row) => row.text(0))!
}
