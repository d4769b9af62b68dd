/**
 * Reads and writes the change log: the last 10,000 lines, with ids and revisions but without texts. A forgotten record leaves one
 * line, of kind `delete`.
 */
import type { EventKind, LoggedEvent } from '../../../src/core/model/learned.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { costs, createPace, type Steps } from '../../scheduling/steps.ts'
import { all, type Database } from '../../sqlite/database.ts'

/** A line to append. The transaction sets its revision. */
export interface NewEvent {
  readonly kind: EventKind
  readonly id: string
  readonly at: number
  readonly detail?: LoggedEvent['detail']
}

/** Appends lines in order. If there are more than the log holds, only the last ones are written. */
export function* appendEvents(database: Database, revision: number, events: readonly NewEvent[]): Steps<void> {
  const pace = createPace()
  for (const { kind, id, at, detail } of events.slice(-tuning.maxEvents)) {
    if (pace.isDue(costs.log)) yield events.length
    database.execute(`INSERT INTO events (revision, at, kind, id, detail) VALUES (?, ?, ?, ?, ?)`, [
      revision,
      at,
      kind,
      id,
      detail ? canonicalJson(detail) : null,
    ])
  }
  // Not at every commit: a single put must not pay for pruning. Readers see at most `maxEvents` lines anyway.
  if (events.length > pruneEvery || revision % pruneEvery === 0)
    database.execute(`DELETE FROM events WHERE sequence <= ${oldest}`, [tuning.maxEvents])
}

const pruneEvery = 64
const oldest = `(SELECT max(sequence) FROM events) - ?`

/** Deletes all lines of these ids, and lines of other records that name one of these ids. */
export function eraseEvents(database: Database, ids: readonly string[]): void {
  // One statement, because it reads the whole log.
  database.execute(
    `DELETE FROM events WHERE id IN (SELECT value FROM json_each(?1))
      OR (kind IN ('link', 'unlink') AND detail ->> 'other' IN (SELECT value FROM json_each(?1)))`,
    [JSON.stringify(ids)],
  )
}

export function eventsSince(database: Database, revision: number): LoggedEvent[] {
  return all(
    database,
    `SELECT sequence, revision, at, kind, id, detail FROM events WHERE revision > ? AND sequence > ${oldest} ORDER BY sequence`,
    [revision, tuning.maxEvents],
    (row) => {
      const detail = row.textOrNull(5)
      return {
        sequence: row.number(0),
        revision: row.number(1),
        at: row.number(2),
        kind: row.text(3) as EventKind,
        id: row.text(4),
        detail: detail === null ? null : JSON.parse(detail),
      }
    },
  )
}

/** The changes of a transaction, for the log. */
export interface Logged {
  readonly changed: readonly string[]
  readonly events: readonly NewEvent[]
}

export function isChanged({ changed, events }: Logged): boolean {
  return changed.length > 0 || events.length > 0
}
