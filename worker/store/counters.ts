/**
 * The counters of a store besides its revision: the next key, and the hybrid logical clock from which changes take stamps. Both are kept in
 * memory, written with each transaction that used them, and restored when one fails.
 */
import { clockAfter, nextStamp, type Stamp, startClock } from '../../src/core/merge/stamp.ts'
import { type Database, first } from '../sqlite/database.ts'

export interface Counts {
  readonly nextKey: number
  /** The last stamp that the store took or saw. */
  readonly clock: Stamp
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

export function createCounters(database: Database): Counters {
  let counts = readCounts(database)
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
      if (clock !== since.clock)
        database.execute(`INSERT OR REPLACE INTO settings VALUES ('clock', ?)`, [
          JSON.stringify([clock.at, clock.count]),
        ])
    },
  }
}

function readCounts(database: Database): Counts {
  const stored = (name: string) =>
    first(database, `SELECT value FROM settings WHERE name = ?`, [name], (row) => row.text(0))
  const device = stored('device') ?? ''
  const [at, count = 0] = JSON.parse(stored('clock') ?? '[]') as readonly number[]
  return { nextKey: Number(stored('nextKey')), clock: at === undefined ? startClock(device) : { at, count, device } }
}
