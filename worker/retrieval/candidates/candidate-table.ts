/** The columns of the candidate table that no channel fills: one value per row, read by the keys of the rows. */

import { holdsKey } from '../../../src/core/collections/key-set.ts'
import type { NumberFact } from '../../../src/core/model/fact-needs.ts'
import type { CandidateTable } from '../../../src/core/model/facts.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { KeySet } from '../../store/port/store.ts'
import type { EventWindows } from '../question/event-windows.ts'
import type { CandidateRows } from '../question/key-rows.ts'
import type { Question } from '../question/question.ts'
import { wordColumns } from './word-columns.ts'
import { lifeDaysOf } from './life-days.ts'
import { newestRows } from './newest-rows.ts'

/** The columns that the query or the policy needs. */
export function columnsOf(question: Question, rows: CandidateRows) {
  const { store, plan, parts, windows, reserved } = question
  const { keys } = rows
  const { files, excluded } = parts
  return {
    length: keys.length,
    ids: Array.from(keys, store.idOf),
    prefer: preferColumns(question, keys),
    files: files === null ? null : columnBy(keys, (key) => (files.has(key) ? 1 : 0)),
    sessions: sessionColumns(question, keys),
    ...numberColumns(question, keys),
    lifeDays: plan.needs.lifeDays === null ? null : lifeDaysOf(plan.needs.lifeDays, keys, store),
    ...wordColumns(plan, store, excluded, rows),
    ...(windows === null ? {} : { time: timeColumns(windows, keys, plan) }),
    ...(reserved === null ? {} : { reserved: Uint8Array.from(keys, (key) => Number(reserved.has(key))) }),
    newest: plan.needs.timeOrder ? newestRows(store.newestFirst(plan.policy.order), rows) : null,
  } satisfies Partial<CandidateTable>
}

function preferColumns({ preferences }: Question, keys: Uint32Array): CandidateTable['prefer'] {
  if (preferences === null) return null
  const holds = (preferred: KeySet | null) =>
    columnBy(keys, (key) => (preferred !== null && holdsKey(preferred, key) ? 1 : 0))
  return { project: holds(preferences.project), kind: holds(preferences.kind), topic: holds(preferences.topic) }
}

/** Null in a listing: it has no scores to share with neighbours of a session. */
function sessionColumns({ store, plan }: Question, keys: Uint32Array): CandidateTable['sessions'] {
  const sessions = plan.needs.sessions && !plan.listing ? store.sessions() : null
  if (sessions === null) return null
  return {
    group: columnBy(keys, (key) => sessions.groups[key] ?? 0),
    place: columnBy(keys, (key) => sessions.places[key] ?? 0),
    length: columnBy(keys, (key) => sessions.lengths[key] ?? 0),
  }
}

function numberColumns({ store, plan }: Question, keys: Uint32Array) {
  const column = (name: NumberFact) => {
    if (!plan.needs.numbers.includes(name)) return null
    if (!areSparse.has(name)) return store.numbersOf(name, keys)
    const values = store.unusual(name)
    return values === null ? null : columnBy(keys, (key) => values[key]!)
  }
  return {
    createdAt: column('createdAt'),
    updatedAt: column('updatedAt'),
    touchedAt: column('touchedAt'),
    confidence: column('confidence'),
    writeScore: column('writeScore'),
    importance: column('importance'),
    accesses: column('accesses'),
  }
}

/** Left out while every record has the initial value. */
const areSparse: ReadonlySet<NumberFact> = /* @__PURE__ */ new Set(['confidence', 'accesses'])

/** In a listing of these times every record counts fully, so that the order is that of the events. */
function timeColumns(windows: EventWindows, keys: Uint32Array, { listing, asWords }: QueryPlan) {
  const share = new Float64Array(keys.length)
  const window = new Uint8Array(keys.length)
  for (const [row, key] of keys.entries()) {
    const inside = windows.of(key)
    share[row] = listing && inside.share > 0 ? 1 : inside.share
    window[row] = inside.window
  }
  if (asWords === undefined) return { share, window }
  return { share, window, named: Uint8Array.from(keys, (key) => Number(windows.isNamedAfter(key))) }
}

function columnBy(keys: Uint32Array, valueOf: (key: number) => number): Float64Array {
  const values = new Float64Array(keys.length)
  for (let row = 0; row < keys.length; row++) values[row] = valueOf(keys[row]!)
  return values
}

/** Maps sparse facts from keys to the rows of the candidates. */
export function byRow<T>(keys: Uint32Array, byKey: ReadonlyMap<number, T>): ReadonlyMap<number, T> {
  const entries = new Map<number, T>()
  if (byKey.size === 0) return entries
  for (const [row, key] of keys.entries()) {
    const entry = byKey.get(key)
    if (entry !== undefined) entries.set(row, entry)
  }
  return entries
}
