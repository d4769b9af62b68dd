/**
 * Gathering: carries out a plan against store and index and returns plain facts. It is synchronous, so all facts are of one
 * state of the store. The union of all channels' hits becomes the candidate table. Each candidate gets the values of every
 * channel. Records and exact cosines are read only for the rows that deciding requests.
 */

import { holdsKey } from '../../src/core/collections/key-set.ts'
import { recallError } from '../../src/core/model/errors.ts'
import type { FactNeeds, NumberFact } from '../../src/core/model/fact-needs.ts'
import type { CandidateTable, Facts, Need } from '../../src/core/model/facts.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { StoredRecord } from '../../src/core/model/record.ts'
import type { ChannelPlan, PullChannel } from '../../src/core/model/result.ts'
import type { Members, Store } from '../store/port/store.ts'
import { gatherAnchors, type Preferences, preferencesOf } from './anchor-channel.ts'
import { exactCosine } from './exact-cosine.ts'
import { existenceOf, surelyNothing } from './existence.ts'
import { type KeyParts, keyParts } from './key-parts.ts'
import { gatherLexical, type LexicalHits } from './lexical-channel.ts'
import { lifeDaysOf } from './life-days.ts'
import { gatherLinked } from './linked-channel.ts'
import { newestRows } from './newest-rows.ts'
import type { RetrievalPorts } from './ports.ts'
import { gatherRecent } from './recent-channel.ts'
import { gatherReferences } from './reference-channels.ts'
import { gatherSources, type SourceHits } from './substring-sources.ts'
import { gatherVector } from './vector-channel.ts'

export interface Gathering {
  readonly facts: Facts
  /** Reads the records and exact cosines that deciding requests. */
  read(need: Need['need']): void
  /** The ranks, over the whole scope, and the exact cosine of a record that no channel found. */
  lookAt(key: number): { readonly ranks: Partial<Record<PullChannel, number>>; readonly cosine: number | null }
}

export function gather(plan: QueryPlan, ports: RetrievalPorts): Gathering {
  const { store, rows } = ports
  const members = store.members(plan.scope)
  const parts = keyParts(plan, store)
  const existence = existenceOf(plan, store, members)
  const absent = existence?.mightExist === false ? surelyNothing : null
  const lexical = gatherLexical(plan, ports, members, parts, absent)
  const sources = gatherSources(plan, store, members)
  const { depths } = plan.policy
  const terms = gatherReferences(
    plan.namedTerms,
    store.keysByTerm,
    sources === null ? depths.terms : 0,
    members,
    parts,
    store,
    absent,
  )
  const paths = gatherReferences(
    plan.namedPaths,
    store.keysByFile,
    sources === null ? depths.paths : 0,
    members,
    parts,
    store,
    absent,
  )
  const vector = gatherVector(plan, ports, members, parts)
  const recent = gatherRecent(plan, store, parts, plan.needs.listsScope ? absent : null)
  const linked = gatherLinked(plan, store, members, parts)
  const preferences = preferencesOf(plan, store)
  const anchors = gatherAnchors(plan, store, preferences, members, parts)

  rows.start(store.lastKey())
  for (const key of lexical.keys) rows.add(key)
  for (const key of sources?.substrings.keys ?? []) rows.add(key)
  for (const key of sources?.terms.keys() ?? []) rows.add(key)
  for (const key of terms.strengths.keys()) rows.add(key)
  for (const key of paths.strengths.keys()) rows.add(key)
  for (const key of vector.keys) rows.add(key)
  for (const key of recent.keys) rows.add(key)
  for (const key of linked.strengths.keys()) rows.add(key)
  for (const key of anchors.keys) rows.add(key)
  const keys = rows.keys()
  const candidates: CandidateTable = {
    ...tabulate(keys, store.idOf, lexical),
    ...columnsOf(plan, store, keys, parts, preferences),
    newest: plan.needs.timeOrder ? newestRows(store.newestFirst(plan.policy.order), keys, rows.rowOf) : null,
    sources: sources === null ? null : sourceColumns(sources, keys.length, rows.rowOf),
  }
  vector.fillBounds(candidates.cosineLow, candidates.cosineHigh, keys, rows.rowOf)
  for (const [key, strength] of terms.strengths) candidates.terms[rows.rowOf(key)] = strength
  for (const [key, strength] of paths.strengths) candidates.paths[rows.rowOf(key)] = strength
  for (const [i, key] of recent.keys.entries()) candidates.recent[rows.rowOf(key)] = i + 1
  for (const [key, strength] of linked.strengths) candidates.linked[rows.rowOf(key)] = strength
  if (anchors.plan.ran) for (const [row, key] of keys.entries()) candidates.anchors[row] = anchors.strength(key)
  const records = new Map<number, StoredRecord>()
  const twins = new Map<number, readonly number[]>()
  const rowsByContent = new Map<string, readonly number[]>()
  const facts: Facts = {
    revision: store.revision(),
    scopeRecords: store.statistics(members).records,
    channels: {
      lexical: lexical.plan,
      terms: sources?.termsPlan ?? terms.plan,
      paths: sources?.pathsPlan ?? paths.plan,
      vector: vector.plan,
      recent: recent.plan,
      linked: linked.plan,
      anchors: anchors.plan,
      cyclic: { ran: false, why: 'only assemble surfaces what is due', scanned: 0, matched: 0, complete: true },
    } satisfies Record<string, ChannelPlan>,
    notes: [],
    existence,
    lexical: lexical.facts,
    vector: vector.facts,
    candidates,
    gates: byRow(keys, store.gated()),
    reasons: byRow(keys, plan.needs.reasons ? store.reasons() : new Map()),
    freshness: byRow(keys, store.freshness(plan.policy.freshnessOf)),
    due: byRow(keys, plan.needs.due ? store.due() : new Map()),
    records,
    twins,
  }

  return {
    facts,
    read({ records: rowsToRead, cosines }) {
      for (const row of rowsToRead) if (!records.has(row)) readRecord(row, keys[row]!)
      for (const row of cosines)
        if (candidates.cosineLow[row] !== candidates.cosineHigh[row]) readCosine(row, keys[row]!)
    },
    lookAt(key) {
      const near = vector.plan.ran ? vector.rankOf(key) : null
      const lexicalRank = lexical.rankOf(key)
      return {
        ranks: {
          ...(lexicalRank === null ? {} : { lexical: lexicalRank }),
          ...(near === null ? {} : { vector: near.rank }),
        },
        cosine: near?.cosine ?? null,
      }
    },
  }

  function readRecord(row: number, key: number): void {
    const [record] = store.hydrate([key])
    // Without this error, deciding would request the record in an endless loop.
    if (record === undefined) {
      throw recallError('STORE_CORRUPT', 'The store lacks a record that its index names', {
        hint: 'Import the latest export into a new store.',
      })
    }
    records.set(row, record)
    twins.set(row, twinsOf(record.contentHash))
  }

  /** Rows with the same content, looked up once per content: a text may have thousands of copies. */
  function twinsOf(contentHash: string): readonly number[] {
    const cached = rowsByContent.get(contentHash)
    if (cached !== undefined) return cached
    const copies = store
      .keysByContent(contentHash)
      .map(rows.rowOf)
      .filter((row) => row !== -1)
    rowsByContent.set(contentHash, copies)
    return copies
  }

  /** Rows without a vector have NaN bounds, which are unequal to themselves; they must stay NaN. */
  function readCosine(row: number, key: number): void {
    if (plan.vector === null || Number.isNaN(candidates.cosineLow[row])) return
    const best = exactCosine(plan.vector, store, key)
    candidates.cosineLow[row] = best
    candidates.cosineHigh[row] = best
  }
}

/** One row per key, with the values of the lexical channel. The columns of the other channels start empty. */
function tabulate(keys: Uint32Array, idOf: (key: number) => string, lexical: LexicalHits) {
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
function columnsOf(
  { needs, listing }: QueryPlan,
  store: Store,
  keys: Uint32Array,
  { files }: KeyParts,
  preferences: Preferences | null,
) {
  const holds = (members: Members | null) =>
    columnBy(keys, (key) => (members !== null && holdsKey(members, key) ? 1 : 0))
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
          },
    ...numbersOf(needs, keys, store),
    lifeDays: needs.lifeDays === null ? null : lifeDaysOf(needs.lifeDays, keys, store),
  }
}

function numbersOf({ numbers }: FactNeeds, keys: Uint32Array, store: Store) {
  const column = (name: NumberFact) => {
    const values = numbers.includes(name) ? (areSparse.has(name) ? store.unusual(name) : store.numbers(name)) : null
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

function sourceColumns({ substrings, terms }: SourceHits, length: number, rowOf: (key: number) => number) {
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

function columnBy(keys: Uint32Array, valueOf: (key: number) => number): Float64Array {
  const values = new Float64Array(keys.length)
  for (let row = 0; row < keys.length; row++) values[row] = valueOf(keys[row]!)
  return values
}

/** Maps sparse facts from keys to the rows of the candidates. */
function byRow<T>(keys: Uint32Array, byKey: ReadonlyMap<number, T>): ReadonlyMap<number, T> {
  const entries = new Map<number, T>()
  if (byKey.size === 0) return entries
  for (const [row, key] of keys.entries()) {
    const entry = byKey.get(key)
    if (entry !== undefined) entries.set(row, entry)
  }
  return entries
}
