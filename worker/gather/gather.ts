/**
 * Gathering: carries out a plan against store and index and hands over plain facts. All of it is synchronous, so every
 * fact is of one state of the store. Channels bring hits; their union becomes the candidate table, each candidate with
 * what every channel knows of it; records and exact cosines are read only for the rows that deciding asks for.
 */
import type { CandidateTable, Facts, GateFacts } from '../../src/core/fusion/facts.ts'
import type { StoredRecord } from '../../src/core/model/record.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { QueryPlan } from '../../src/core/query/plan-query.ts'
import { cosine } from '../../src/core/sketch/cosine.ts'
import type { Ports } from '../ports.ts'
import { gatherLexical } from './lexical-channel.ts'
import { gatherRecent } from './recent-channel.ts'
import { gatherReferences } from './reference-channels.ts'
import { gatherVector } from './vector-channel.ts'

export interface Gathering {
  facts(): Facts
  /** Reads records and exact cosines of these rows. */
  read(rows: readonly number[]): void
}

export function gather(plan: QueryPlan, ports: Ports): Gathering {
  const { store } = ports
  const members = store.members(plan.scope)
  const lexical = gatherLexical(plan, ports, members)
  const terms = gatherReferences(plan.namedTerms, store.keysByTerm, plan.policy.depths.terms, members, store.idOf)
  const paths = gatherReferences(plan.namedPaths, store.keysByFile, plan.policy.depths.paths, members, store.idOf)
  const vector = gatherVector(plan, ports, members)
  const recent = gatherRecent(plan, store)

  const keys = Uint32Array.from(
    new Set([...lexical.keys, ...terms.strengths.keys(), ...paths.strengths.keys(), ...vector.keys, ...recent.keys]),
  )
  const bounds = vector.bounds(keys)
  const candidates: CandidateTable = {
    length: keys.length,
    ids: Array.from(keys, store.idOf),
    lexical: Float64Array.from(keys, lexical.score),
    coverage: Float64Array.from(keys, lexical.coverage),
    terms: Float64Array.from(keys, (key) => terms.strengths.get(key) ?? 0),
    paths: Float64Array.from(keys, (key) => paths.strengths.get(key) ?? 0),
    cosineLow: bounds.low,
    cosineHigh: bounds.high,
    recent: Float64Array.from(keys, (key) => recent.rank(key)),
  }
  const rowByKey = new Map(Array.from(keys, (key, row) => [key, row]))
  const records = new Map<number, StoredRecord>()
  const twins = new Map<number, readonly number[]>()
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
    facts: () => facts,
    read(rows) {
      for (const row of rows) {
        const key = keys[row] as number
        if (!records.has(row)) readRecord(row, key)
        if (candidates.cosineLow[row] !== candidates.cosineHigh[row]) readCosine(row, key)
      }
    },
  }

  function readRecord(row: number, key: number): void {
    const [record] = store.hydrate([key])
    if (record === undefined) return
    records.set(row, record)
    const same = store.keysByContent(record.contentHash).map((twin) => rowByKey.get(twin))
    twins.set(row, same.filter((twin) => twin !== undefined && twin !== row) as number[])
  }

  /** A NaN bound is unequal to itself: those rows have no vector and stay as they are. */
  function readCosine(row: number, key: number): void {
    if (plan.vector === null || Number.isNaN(candidates.cosineLow[row])) return
    const query = plan.vector
    let best = Number.NEGATIVE_INFINITY
    store.vectorsOf(key, (piece) => {
      best = Math.max(best, cosine(query, piece))
    })
    candidates.cosineLow[row] = best
    candidates.cosineHigh[row] = best
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
