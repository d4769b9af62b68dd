/**
 * Gathering: carries out a plan against store and index and hands over plain facts. All of it is synchronous, so every
 * fact is of one state of the store. Channels bring hits; their union becomes the candidate table, each candidate with
 * what every channel knows of it; records and exact cosines are read only for the rows that deciding asks for.
 */
import type { CandidateTable, Facts, GateFacts } from '../../src/core/fusion/facts.ts'
import { recallError } from '../../src/core/model/errors.ts'
import type { StoredRecord } from '../../src/core/model/record.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { QueryPlan } from '../../src/core/query/plan-query.ts'
import type { Need } from '../../src/core/select/select.ts'
import type { Ports } from '../ports.ts'
import { closedKeys } from './closed-keys.ts'
import { exactCosine } from './exact-cosine.ts'
import { gatherLexical, type LexicalHits } from './lexical-channel.ts'
import { gatherRecent } from './recent-channel.ts'
import { gatherReferences } from './reference-channels.ts'
import { gatherVector } from './vector-channel.ts'

export interface Gathering {
  readonly facts: Facts
  /** Reads the records and exact cosines that deciding asks for. */
  read(need: Need['need']): void
}

export function gather(plan: QueryPlan, ports: Ports): Gathering {
  const { store, rows } = ports
  const members = store.members(plan.scope)
  const closed = closedKeys(plan, store)
  const lexical = gatherLexical(plan, ports, members, closed)
  const terms = gatherReferences(
    plan.namedTerms,
    store.keysByTerm,
    plan.policy.depths.terms,
    members,
    closed,
    store.idOf,
  )
  const paths = gatherReferences(
    plan.namedPaths,
    store.keysByFile,
    plan.policy.depths.paths,
    members,
    closed,
    store.idOf,
  )
  const vector = gatherVector(plan, ports, members, closed)
  const recent = gatherRecent(plan, store, closed)

  rows.start(store.lastKey())
  for (const key of lexical.keys) rows.add(key)
  for (const key of terms.strengths.keys()) rows.add(key)
  for (const key of paths.strengths.keys()) rows.add(key)
  for (const key of vector.keys) rows.add(key)
  for (const key of recent.keys) rows.add(key)
  const keys = rows.keys()
  const candidates = tabulate(keys, store.idOf, lexical)
  vector.fillBounds(candidates.cosineLow, candidates.cosineHigh, keys, rows.rowOf)
  for (const [key, strength] of terms.strengths) candidates.terms[rows.rowOf(key)] = strength
  for (const [key, strength] of paths.strengths) candidates.paths[rows.rowOf(key)] = strength
  for (const [i, key] of recent.keys.entries()) candidates.recent[rows.rowOf(key)] = i + 1
  const records = new Map<number, StoredRecord>()
  const twins = new Map<number, readonly number[]>()
  const rowsByContent = new Map<string, readonly number[]>()
  const facts: Facts = {
    revision: store.revision(),
    scopeRecords: store.statistics(members).records,
    channels: {
      lexical: lexical.plan,
      terms: terms.plan,
      paths: paths.plan,
      vector: vector.plan,
      recent: recent.plan,
    } satisfies Record<string, ChannelPlan>,
    notes: [],
    lexical: lexical.facts,
    vector: vector.facts,
    candidates,
    gates: gatesOf(keys, store.gated()),
    records,
    twins,
  }

  return {
    facts,
    read({ records: wanted, cosines }) {
      for (const row of wanted) if (!records.has(row)) readRecord(row, keys[row] as number)
      for (const row of cosines)
        if (candidates.cosineLow[row] !== candidates.cosineHigh[row]) readCosine(row, keys[row] as number)
    },
  }

  function readRecord(row: number, key: number): void {
    const [record] = store.hydrate([key])
    // Without this, deciding would ask for ever for what cannot be read.
    if (record === undefined) {
      throw recallError('STORE_CORRUPT', 'the store misses a record that its index knows', {
        cure: 'Import the latest export into a new store.',
      })
    }
    records.set(row, record)
    twins.set(row, twinsOf(record.contentHash))
  }

  /** Looked up once per content: thousands of copies of one text must not cost thousands of look-ups. */
  function twinsOf(contentHash: string): readonly number[] {
    const known = rowsByContent.get(contentHash)
    if (known !== undefined) return known
    const found = store
      .keysByContent(contentHash)
      .map(rows.rowOf)
      .filter((row) => row !== -1)
    rowsByContent.set(contentHash, found)
    return found
  }

  /** A NaN bound is unequal to itself: those rows have no vector and stay as they are. */
  function readCosine(row: number, key: number): void {
    if (plan.vector === null || Number.isNaN(candidates.cosineLow[row])) return
    const best = exactCosine(plan.vector, store, key)
    candidates.cosineLow[row] = best
    candidates.cosineHigh[row] = best
  }
}

/** One row per key with what the lexical channel knows of it; the other columns start empty. */
function tabulate(keys: Uint32Array, idOf: (key: number) => string, lexical: LexicalHits): CandidateTable {
  const length = keys.length
  const ids: string[] = []
  const score = new Float64Array(length)
  const coverage = new Float64Array(length)
  const matched = new Float64Array(length)
  for (let row = 0; row < length; row++) {
    const key = keys[row] as number
    ids.push(idOf(key))
    score[row] = lexical.score(key)
    coverage[row] = lexical.coverage(key)
    matched[row] = lexical.matched(key)
  }
  return {
    length,
    ids,
    lexical: score,
    coverage,
    matched,
    terms: new Float64Array(length),
    paths: new Float64Array(length),
    cosineLow: new Float64Array(length).fill(Number.NaN),
    cosineHigh: new Float64Array(length).fill(Number.NaN),
    recent: new Float64Array(length),
  }
}

function gatesOf(keys: Uint32Array, gated: ReadonlyMap<number, GateFacts>): ReadonlyMap<number, GateFacts> {
  const gates = new Map<number, GateFacts>()
  if (gated.size === 0) return gates
  for (const [row, key] of keys.entries()) {
    const facts = gated.get(key)
    if (facts !== undefined) gates.set(row, facts)
  }
  return gates
}
