/** The columns of the candidate table: one value per row, read by the keys of the rows. */

import { holdsKey } from '../../src/core/collections/key-set.ts'
import type { FactNeeds, NumberFact } from '../../src/core/model/fact-needs.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { KeySet, Store } from '../store/port/store.ts'
import type { Preferences } from './anchor-channel.ts'
import type { EventWindows } from './event-windows.ts'
import type { KeyParts } from './key-parts.ts'
import type { LexicalHits } from './lexical-channel.ts'
import { lifeDaysOf } from './life-days.ts'
import type { SourceHits } from './substring-sources.ts'

/** One row per key, with the values of the lexical channel. The columns of the other channels start empty. */
export function tabulate(keys: Uint32Array, idOf: (key: number) => string, lexical: LexicalHits) {
  const length = keys.length
  const ids: string[] = []
  const score = new Float64Array(length)
  const coverage = new Float64Array(length)
  const matched = new Float64Array(length)
  const pairs = new Float64Array(length)
  const complete =
    lexical.complete === null ? null : { coverage: new Float64Array(length), matched: new Float64Array(length) }
  for (let row = 0; row < length; row++) {
    const key = keys[row]!
    ids.push(idOf(key))
    if (complete !== null && lexical.complete !== null) {
      complete.coverage[row] = lexical.complete.coverage(key)
      complete.matched[row] = lexical.complete.matched(key)
    }
    const words = lexical.matched(key)
    if (words === 0) continue
    matched[row] = words
    score[row] = lexical.score(key)
    coverage[row] = lexical.coverage(key)
    pairs[row] = lexical.pairs(key)
  }
  return {
    length,
    ids,
    lexical: score,
    coverage,
    matched,
    ...(complete === null ? {} : { complete }),
    pairs,
    terms: new Float64Array(length),
    paths: new Float64Array(length),
    cosineLow: new Float64Array(length).fill(Number.NaN),
    cosineHigh: new Float64Array(length).fill(Number.NaN),
    recent: new Float64Array(length),
    linked: new Float64Array(length),
    anchors: new Float64Array(length),
  }
}

/** The optional columns that the query or the policy needs. */
export function columnsOf(
  { needs, listing }: QueryPlan,
  store: Store,
  keys: Uint32Array,
  { files }: KeyParts,
  preferences: Preferences | null,
) {
  const holds = (preferredKeys: KeySet | null) =>
    columnBy(keys, (key) => (preferredKeys !== null && holdsKey(preferredKeys, key) ? 1 : 0))
  // A listing has no scores to share with neighbours of a session.
  const sessions = needs.sessions && !listing ? store.sessions() : null
  return {
    prefer:
      preferences === null
        ? null
        : {
            project: holds(preferences.project),
            kind: holds(preferences.kind),
            topic: holds(preferences.topic),
          },
    files: files === null ? null : columnBy(keys, (key) => (files.has(key) ? 1 : 0)),
    sessions:
      sessions === null
        ? null
        : {
            group: columnBy(keys, (key) => sessions.groups[key] ?? 0),
            place: columnBy(keys, (key) => sessions.places[key] ?? 0),
            length: columnBy(keys, (key) => sessions.lengths[key] ?? 0),
          },
    ...numbersOf(needs, keys, store),
    lifeDays: needs.lifeDays === null ? null : lifeDaysOf(needs.lifeDays, keys, store),
  }
}

function numbersOf({ numbers }: FactNeeds, keys: Uint32Array, store: Store) {
  const column = (name: NumberFact) => {
    if (!numbers.includes(name)) return null
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

export function sourceColumns({ substrings, terms }: SourceHits, length: number, rowOf: (key: number) => number) {
  const rows = new Int32Array(substrings.keys.length)
  for (let i = 0; i < rows.length; i++) rows[i] = rowOf(substrings.keys[i]!)
  const column = (strengths: Float64Array) => {
    const values = new Float64Array(length)
    for (let i = 0; i < rows.length; i++) values[rows[i]!] = strengths[i]!
    return values
  }
  const named = new Float64Array(length)
  for (const [key, strength] of terms) named[rowOf(key)] = strength
  return {
    terms: named,
    paths: column(substrings.paths),
    instruction: column(substrings.instruction),
    body: column(substrings.body),
    command: column(substrings.command),
  }
}

/** In a listing of these times every record counts fully, so that the order is that of the events. */
export function timesOf(windows: EventWindows, keys: Uint32Array, alone: boolean) {
  const share = new Float64Array(keys.length)
  const window = new Uint8Array(keys.length)
  for (const [row, key] of keys.entries()) {
    const found = windows.of(key)
    share[row] = alone && found.share > 0 ? 1 : found.share
    window[row] = found.window
  }
  return { share, window }
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
