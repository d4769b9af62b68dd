/**
 * Gathering: carries out a plan against store and index and returns plain facts. It is synchronous, so all facts are of one
 * state of the store. The union of all channels' hits becomes the candidate table. Each candidate gets the values of every
 * channel. Records and exact cosines are read only for the rows that deciding requests.
 */

import { holdsKey } from '../../src/core/collections/key-set.ts'
import { recallError } from '../../src/core/model/errors.ts'
import type { CandidateTable, Facts, Need } from '../../src/core/model/facts.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { StoredRecord } from '../../src/core/model/record.ts'
import type { ChannelPlan, PullChannel } from '../../src/core/model/result.ts'
import { gatherAnchors, preferencesOf } from './anchor-channel.ts'
import type { Breadth, Omitted } from './breadth.ts'
import { byRow, columnsOf, sourceColumns, tabulate, timesOf } from './candidate-table.ts'
import { eventWindows } from './event-windows.ts'
import { exactCosine } from './exact-cosine.ts'
import { existenceOf, surelyNothing } from './existence.ts'
import { keyParts } from './key-parts.ts'
import { gatherLexical } from './lexical-channel.ts'
import { gatherLinked } from './linked-channel.ts'
import { newestRows } from './newest-rows.ts'
import type { RetrievalPorts } from './ports.ts'
import { gatherRecent } from './recent-channel.ts'
import { gatherReferences } from './reference-channels.ts'
import { gatherSources } from './substring-sources.ts'
import { withForms } from './word-forms.ts'
import { withCorrections } from './typos.ts'
import { gatherVector } from './vector-channel.ts'
import { wordColumns } from './word-columns.ts'

export interface Gathering {
  /** The plan as it was carried out: without times that tell no records apart, and with corrected words. */
  readonly plan: QueryPlan
  readonly facts: Facts
  /** What is known of the candidates that a narrow gathering leaves out; null if it leaves out none. */
  omitted(): Omitted | null
  /** Rank of a row among all records that match a word of the query, from 1; null without a match. */
  lexicalRank(row: number): number | null
  /** Reads the records and exact cosines that deciding requests. */
  read(need: Need['need']): void
  /** The ranks, over the whole scope, and the exact cosine of a record that no channel found. */
  lookAt(key: number): { readonly ranks: Partial<Record<PullChannel, number>>; readonly cosine: number | null }
}

/** 1 for the records whose kind is the reserved one, or whose text states such a request. */
function reservedAmong({ query }: QueryPlan, store: RetrievalPorts['store'], keys: Uint32Array) {
  if (query.reserve === undefined) return {}
  const { kind } = query.reserve
  const declared = store.members({ kind })
  const stated = store.standing()
  const isReserved = (key: number) => stated.get(key) === kind || (declared !== null && holdsKey(declared, key))
  return { reserved: Uint8Array.from(keys, (key) => (isReserved(key) ? 1 : 0)) }
}

/** Most stores have no contradictions, and then nothing is added. */
function contradictionsAmong(store: RetrievalPorts['store'], ids: readonly string[]): Pick<Facts, 'contradictions'> {
  const pairs = store.learning.contradictions()
  if (pairs.length === 0) return {}
  const candidates = new Set(ids)
  const found = pairs.filter(({ id, contradicts }) => candidates.has(id) || candidates.has(contradicts))
  return found.length === 0 ? {} : { contradictions: found.map(({ id, contradicts }) => [id, contradicts]) }
}

/** `breadth`: which records of the lexical and the vector channel become candidates; null: all within the policy's depths. */
export function gather(given: QueryPlan, ports: RetrievalPorts, breadth: Breadth | null = null): Gathering {
  const { store, rows } = ports
  const members = store.members(given.scope)
  const windows = eventWindows(given, store)
  const formed = withForms(windows?.plan ?? given.withoutTimes ?? given, store, members)
  // A corrected word has forms, too.
  const plan = withForms(withCorrections(formed, store, members), store, members)
  const parts = keyParts(plan, store)
  const existence = existenceOf(plan, store, members)
  const absent = existence?.mightExist === false ? surelyNothing : null
  const lexical = gatherLexical(plan, ports, members, parts, absent, breadth)
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
  const vector = gatherVector(plan, ports, members, parts, breadth)
  const recent = gatherRecent(plan, store, parts, plan.needs.listsScope ? absent : null, windows)
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
    ...wordColumns(plan, store, keys, parts.heldBack, rows.rowOf),
    ...(windows === null ? {} : { time: timesOf(windows, keys, plan.timesAlone === true) }),
    ...reservedAmong(plan, store, keys),
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
  const duplicates = new Map<number, readonly number[]>()
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
    duplicates,
    ...contradictionsAmong(store, candidates.ids),
  }

  /** A record of the scope with the content of a record that was read is not a candidate. */
  let missesDuplicate = false

  return {
    plan,
    facts,
    lexicalRank: (row) => lexical.rankOf(keys[row]!),
    omitted: () =>
      lexical.mostOmitted === null && vector.ceiling === Number.NEGATIVE_INFINITY && !missesDuplicate
        ? null
        : {
            text: missesDuplicate ? Number.POSITIVE_INFINITY : (lexical.mostOmitted ?? 0),
            cosine: vector.ceiling,
            hasReasons: plan.needs.reasons && store.reasons().size > 0,
            hasFreshness: facts.freshness.size > 0 || store.freshness(plan.policy.freshnessOf).size > 0,
            hasTime: windows !== null,
          },
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
    duplicates.set(row, duplicatesOf(record.contentHash))
  }

  /** Rows with the same content, looked up once per content: a text may have thousands of copies. */
  function duplicatesOf(contentHash: string): readonly number[] {
    const cached = rowsByContent.get(contentHash)
    if (cached !== undefined) return cached
    const keysOfCopies = store.keysByContent(contentHash)
    const copies = keysOfCopies.map(rows.rowOf).filter((row) => row !== -1)
    if (copies.length < keysOfCopies.length)
      missesDuplicate ||= keysOfCopies.some(
        (key) => rows.rowOf(key) === -1 && (members === null || holdsKey(members, key)),
      )
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
