/**
 * Provides the columns that scoring needs of many records at once, by key: times and numbers as arrays, sparse facts as maps.
 * Each column is read at its first use. Changed records are read again at the next use.
 */

import type { NumberFact } from '../../../src/core/model/fact-needs.ts'
import type { DueFacts, ReasonFact } from '../../../src/core/model/facts.ts'
import type { StandingKind } from '../../../src/core/model/query.ts'
import type { ReasonCodeName } from '../../../src/core/model/reason-codes.ts'
import { eventKinds, type EventTime } from '../../../src/core/time/event-time.ts'
import type { Database, Row } from '../../sqlite/database.ts'
import type { SessionPlaces, TimeColumn, TimeOrder } from '../port/columns.ts'
import { createFacetColumn, type FacetColumn, facetSource } from './facet-column.ts'
import { createGateColumn, type GateColumn } from './gate-column.ts'
import { createNumberColumn, readNumbers } from './number-column.ts'
import { createSessionPlaces } from './session-places.ts'
import { type Column, createSparse } from './sparse-column.ts'
import { createTimeOrder } from './time-order.ts'

export interface RecordColumns {
  /** Values by key; entries of unused keys are undefined. */
  numbers(name: NumberFact): Float64Array
  /** The values of these records, in their order. */
  numbersOf(name: NumberFact, keys: Uint32Array): Float64Array
  /** The same column; null while every record has the default value. */
  unusual(name: NumberFact): Float64Array | null
  newestFirst(name: TimeColumn): TimeOrder
  /** Positions of records in their sessions; null if no record has one. */
  sessions(): SessionPlaces | null
  reasons(): ReadonlyMap<number, readonly ReasonFact[]>
  gates(): GateColumn
  /** Facts of records with cycles or a pressure rate. */
  due(): ReadonlyMap<number, DueFacts>
  /** Event times of the records for which they are not `createdAt`. */
  eventTimes(): ReadonlyMap<number, readonly EventTime[]>
  /** The standing requests that records state, by key. */
  standing(): ReadonlyMap<number, StandingKind>
  /** The values of a key of `facets`. */
  facet(key: string): FacetColumn
  /** To be called after a commit. `changed`: ids whose rows changed; `removed`: deleted keys. */
  applied(changed: readonly string[], removed: readonly number[]): void
  bytes(): number
}

/** Most changed records that are read one by one; if more are pending, all columns are read again, which is faster. */
const mostPending = 2000

/** Values that are read one by one before their columns are. */
const fewNumbers = 1024

export function createRecordColumns(
  database: Database,
  keyOf: (id: string) => number | undefined,
  idOf: (key: number) => string,
  tokensByKey: () => Uint32Array,
): RecordColumns {
  const columns = new Map<string, Column>()
  // Commits only collect what changed, so an unused column costs nothing.
  const changed = new Set<string>()
  const removed = new Set<number>()
  const applyChanges = () => {
    if (changed.size + removed.size > mostPending) columns.clear()
    if (columns.size > 0) {
      const keys = Array.from(changed, keyOf).filter((key) => key !== undefined)
      for (const column of columns.values()) {
        for (const key of removed) column.forget(key)
        for (const key of keys) {
          column.forget(key)
          column.read(key)
        }
      }
    }
    changed.clear()
    removed.clear()
  }
  const column = <T extends Column>(name: string, create: () => T): T => {
    if (changed.size + removed.size > 0) applyChanges()
    const cached = columns.get(name) as T | undefined
    if (cached !== undefined) return cached
    const created = create()
    columns.set(name, created)
    return created
  }
  const numberColumn = (name: NumberFact) => column(name, () => createNumberColumn(database, name))
  const numbers = (name: NumberFact) => numberColumn(name).values()
  // Reading a column may pass over the texts of all records, for which the first answer should not wait.
  let fewLeft = fewNumbers
  return {
    numbers,
    numbersOf(name, keys) {
      if (!columns.has(name) && keys.length <= fewLeft) {
        fewLeft -= keys.length
        return readNumbers(database, name, keys)
      }
      const values = numbers(name)
      return Float64Array.from(keys, (key) => values[key]!)
    },
    unusual: (name) => (numberColumn(name).isUsual() ? null : numbers(name)),
    newestFirst: (name) =>
      column(`newest by ${name}`, () => createTimeOrder(readKeys(database), () => numbers(name), idOf)).current(),
    sessions: () => column('sessions', () => createSessionPlaces(database, idOf, tokensByKey)).current(),
    reasons: () => column('reasons', () => createSparse(database, reasonsSql, readReason, (rows) => rows)).entries,
    gates: () => column('gates', () => createGateColumn(database)),
    eventTimes: () =>
      column('event times', () => createSparse(database, eventTimesSql, readEventTime, (times) => times)).entries,
    standing: () =>
      column('standing', () => createSparse(database, standingSql, readStanding, ([kind]) => kind!)).entries,
    due: () => column('due', () => createSparse(database, dueSql, readDue, mergeDue)).entries,
    facet: (key) =>
      column(`facet ${key}`, () => ({ ...createFacetColumn(database, facetSource(key)), holdsText: true as const })),
    applied(ids, keys) {
      if (columns.size === 0) return
      for (const { holdsText, forget } of columns.values()) if (holdsText) for (const key of keys) forget(key)
      for (const id of ids) changed.add(id)
      for (const key of keys) removed.add(key)
    },
    bytes: () => [...columns.values()].reduce((sum, cached) => sum + (cached.bytes?.() ?? 0), 0),
  }
}

function readKeys(database: Database): Int32Array {
  const keys: number[] = []
  database.each(`SELECT key FROM records`, [], (row) => keys.push(row.number(0)))
  return Int32Array.from(keys)
}

const eventTimesSql = `SELECT r.key, r.time_from, r.time_before, r.kind, r.rule FROM event_times r WHERE 1 :one
  ORDER BY 1, r.place`

function readEventTime(row: Row): EventTime {
  return { kind: eventKinds[row.number(3)]!, from: row.number(1), before: row.number(2), rule: row.textOrNull(4) }
}

const standingSql = `SELECT r.key, r.kind FROM standing r WHERE 1 :one`

function readStanding(row: Row): StandingKind {
  const kind = row.text(1)
  return kind === 'instruction' || kind === 'profile' ? kind : 'preference'
}

/** One row for each cycle, and one row without a period for the pressure rate. */
const dueSql = `
  SELECT r.key, r.period_seconds, r.amplitude, r.phase_seconds, 0, learned.resolved_at, r.position
    FROM cycles r LEFT JOIN learned ON learned.key = r.key WHERE 1 :one
  UNION ALL SELECT r.key, NULL, NULL, NULL, r.pressure_rate, learned.resolved_at, 0
    FROM records r LEFT JOIN learned ON learned.key = r.key WHERE r.pressure_rate > 0 :one
  ORDER BY 1, 7`

function readDue(row: Row): DueFacts {
  const periodSeconds = row.numberOrNull(1)
  const cycle = {
    periodSeconds: periodSeconds ?? 0,
    amplitude: row.numberOrNull(2) ?? 0,
    phaseSeconds: row.numberOrNull(3) ?? 0,
  }
  return { cycles: periodSeconds === null ? [] : [cycle], pressureRate: row.number(4), resolvedAt: row.numberOrNull(5) }
}

function mergeDue(parts: readonly DueFacts[]): DueFacts {
  return {
    cycles: parts.flatMap(({ cycles }) => cycles),
    pressureRate: parts.reduce((most, { pressureRate }) => Math.max(most, pressureRate), 0),
    resolvedAt: parts[0]?.resolvedAt ?? null,
  }
}

const reasonsSql = `SELECT r.key, r.code, r.weight FROM reasons r WHERE 1 :one ORDER BY r.key, r.position`

function readReason(row: Row): ReasonFact {
  return { code: row.text(1) as ReasonCodeName, weight: row.number(2) }
}
