/**
 * Gathering: carries out a plan against store and index and returns plain facts. It is synchronous, so all facts are of one
 * state of the store. The channels are asked once. A breadth chooses which of the records that they find become the candidate table; each
 * candidate gets the values of every channel. Records and exact cosines are read only for the rows that deciding requests.
 */

import { holdsKey } from '../../src/core/collections/key-set.ts'
import { selectTop } from '../../src/core/collections/select-top.ts'
import { ownBounds } from '../../src/core/fusion/convex.ts'
import { mostShares, withSlack } from '../../src/core/fusion/convex-ceiling.ts'
import type { CandidateTable, Facts, Need } from '../../src/core/model/facts.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { ChannelPlan, PullChannel } from '../../src/core/model/result.ts'
import { asksForLedger } from '../../src/core/select/asks-for-ledger.ts'
import { gateRows } from '../../src/core/select/gate.ts'
import type { Store } from '../store/port/store.ts'
import { amountsOf, bestOf } from './amounts.ts'
import { gatherAnchors, preferencesOf } from './anchor-channel.ts'
import { byRow, columnsOf, sourceColumns, tabulate, timesOf } from './candidate-table.ts'
import { eventWindows } from './event-windows.ts'
import { existenceOf, surelyNothing } from './existence.ts'
import { type Breadth, depthOf, everything, type Omitted } from './few/breadth.ts'
import { type Reach, reachOf } from './few/session-reach.ts'
import { keyParts } from './key-parts.ts'
import { gatherLexical } from './lexical-channel.ts'
import { gatherLinked } from './linked-channel.ts'
import { newestRows } from './newest-rows.ts'
import type { RetrievalPorts } from './ports.ts'
import { createReadRows } from './reading/read-rows.ts'
import { gatherRecent, type RecentHits } from './recent-channel.ts'
import { gatherReferences } from './reference-channels.ts'
import { gatherSources } from './substring-sources.ts'
import { withCorrections } from './typos.ts'
import { gatherVector, type NearRecords } from './vector-channel.ts'
import { wordColumns } from './word-columns.ts'
import { withForms } from './word-forms.ts'

/** The channels of one plan, to be gathered from in one read transaction; a later gathering invalidates an earlier one. */
export interface Search {
  /** As it is carried out. */
  readonly plan: QueryPlan
  within(breadth: Breadth): Gathering
}

export interface Gathering {
  /** The plan as it was carried out: without times that do not distinguish records, and with corrected words. */
  readonly plan: QueryPlan
  readonly facts: Facts
  /** What is known of the records that the breadth leaves out; null if it leaves out none. */
  omitted(): Omitted | null
  /** Ranks of rows among all records that match a word of the query, from 1; null without a match. */
  lexicalRanks(rows: readonly number[]): readonly (number | null)[]
  /** Reads the records and exact cosines that deciding requests. */
  read(need: Need['need']): void
  /** The ranks, over the whole scope, and the exact cosine of a record that no channel found. */
  inspect(key: number): { readonly ranks: Partial<Record<PullChannel, number>>; readonly cosine: number | null }
}

/** The records whose kind is the reserved one, or whose text states such a request; null without `reserve`. */
function reservedKeys({ query }: QueryPlan, store: Store): ReadonlySet<number> | null {
  if (query.reserve === undefined) return null
  const { kind } = query.reserve
  const keys = new Set(store.scopeKeys({ kind })?.keys ?? [])
  for (const [key, stated] of store.standing()) if (stated === kind) keys.add(key)
  return keys
}

/** Most stores have no contradictions, and then nothing is added. */
function contradictionsAmong(store: Store, ids: readonly string[]): Pick<Facts, 'contradictions'> {
  const pairs = store.learning.contradictions()
  if (pairs.length === 0) return {}
  const candidates = new Set(ids)
  const found = pairs.filter(({ id, contradicts }) => candidates.has(id) || candidates.has(contradicts))
  return found.length === 0 ? {} : { contradictions: found.map(({ id, contradicts }) => [id, contradicts]) }
}

/** All that the policy lets the channels find. */
export function gather(given: QueryPlan, ports: RetrievalPorts): Gathering {
  return search(given, ports, everything).within(everything)
}

/** `first`: the breadth that is gathered first. */
export function search(given: QueryPlan, ports: RetrievalPorts, first: Breadth): Search {
  const { store, rows } = ports
  const scopeKeys = store.scopeKeys(given.scope)
  const windows = eventWindows(given, store)
  const formed = withForms(windows?.plan ?? given.withoutTimes ?? given, store, scopeKeys)
  // A corrected word has forms, too.
  const plan = withForms(withCorrections(formed, store, scopeKeys), store, scopeKeys)
  const { policy } = plan
  const { summedWeights: weights } = plan.needs
  const parts = keyParts(plan, store)
  const existence = existenceOf(plan, store, scopeKeys)
  const absent = existence?.mightExist === false ? surelyNothing : null
  const lexical = gatherLexical(plan, ports, scopeKeys, parts, absent)
  const sources = gatherSources(plan, store, scopeKeys)
  const references = (named: readonly string[], channel: 'terms' | 'paths', lookUp: Store['keysByTerm']) =>
    gatherReferences(named, lookUp, sources === null ? depthOf(plan, channel) : 0, scopeKeys, parts, store, absent)
  const terms = references(plan.namedTerms, 'terms', store.keysByTerm)
  const paths = references(plan.namedPaths, 'paths', store.keysByFile)
  const vector = gatherVector(plan, ports, scopeKeys, parts, first.nearest)
  const asked = vector.facts === null ? [] : store.forms.languagesOf(plan.text)
  const linked = gatherLinked(plan, store, scopeKeys, parts)
  const preferences = preferencesOf(plan, store)
  const anchors = gatherAnchors(plan, store, preferences, scopeKeys, parts)
  const reserved = reservedKeys(plan, store)
  const known = { lexical, vector, windows, preferences, scopeKeys, parts }
  const amounts = weights !== null && first !== everything ? amountsOf(plan, weights, store, known) : null
  const sessions = amounts !== null && plan.needs.sessions && !plan.listing ? store.sessions() : null
  /** What few records have is a candidate under every breadth. */
  const named = [
    ...(sources?.substrings.keys ?? []),
    ...(sources?.terms.keys() ?? []),
    ...terms.strengths.keys(),
    ...paths.strengths.keys(),
    ...linked.strengths.keys(),
    ...anchors.keys,
  ]
  const isFound = (key: number) =>
    (scopeKeys === null || holdsKey(scopeKeys, key)) && (plan.listing || lexical.matched(key) > 0 || vector.has(key))
  return { plan, within }

  function within(breadth: Breadth): Gathering {
    const near = vector.within(breadth.nearest)
    const recent = gatherRecent(
      plan,
      store,
      scopeKeys,
      parts,
      plan.needs.listsScope ? absent : null,
      windows,
      breadth.newest,
    )
    if (amounts === null || breadth === everything)
      return tabulated(near, recent, [lexical.matches, named, near.keys, recent.keys], null, null)
    const best = bestOf(amounts, breadth, recent)
    const exact = new Set([...breadth.also, ...(reserved ?? []), ...(parts.files ?? [])].filter(isFound))
    // A ledger names the best of the gated matches, too; they take no places of the others [Q4].
    const gated = asksForLedger(plan) ? Array.from(lexical.matches).filter((key) => parts.closed.has(key)) : []
    const shown = selectTop(gated, lexical.score, breadth.best, store.idOf)
    const nearest = near.ceiling === Number.NEGATIVE_INFINITY ? near.ceiling : amounts.ofCosine(near.ceiling)
    const score = Math.max(best.most, nearest === Number.NEGATIVE_INFINITY ? nearest : nearest + amounts.rest)
    const keys = [best.keys, shown, named, near.keys, recent.keys, exact]
    const isAll = score === Number.NEGATIVE_INFINITY
    if (isAll) return tabulated(near, recent, keys, null, null)
    const amount = Math.max(best.most, nearest)
    const left = { score: withSlack(score), amount, near: nearest + amounts.rest, cosine: near.ceiling }
    if (sessions === null || weights === null) return tabulated(near, recent, keys, left, null)
    const { facts } = tabulated(near, recent, keys, left, null)
    const reach = reachOf(
      weights,
      sessions,
      rows.keys(),
      ownBounds(plan, weights, facts, gateRows(plan, facts).eligible),
      breadth,
      {
        rowOf: rows.rowOf,
        isOpen: (key) => isFound(key) && !parts.closed.has(key),
        boundOf: (key) => Math.min(score, amounts.textOf(key) + Math.max(0, nearest) + amounts.rest),
        amount,
        exact,
      },
    )
    const withNeighbours = Math.max(withSlack(score + mostShares(weights) * amount), reach.most)
    return tabulated(near, recent, [...keys, reach.keys], { ...left, score: withNeighbours }, reach)
  }

  function tabulated(
    near: NearRecords,
    recent: RecentHits,
    sets: readonly Iterable<number>[],
    left: Omit<Omitted, 'copies'> | null,
    reach: Reach | null,
  ): Gathering {
    rows.start(store.lastKey())
    for (const set of sets) for (const key of set) rows.add(key)
    const keys = rows.keys()
    const candidates: CandidateTable = {
      ...tabulate(keys, store.idOf, lexical),
      ...columnsOf(plan, store, keys, parts, preferences),
      ...wordColumns(plan, store, keys, parts.heldBack, rows.rowOf),
      ...(windows === null ? {} : { time: timesOf(windows, keys, plan.timesAlone === true) }),
      ...(reserved === null ? {} : { reserved: Uint8Array.from(keys, (key) => Number(reserved.has(key))) }),
      newest: plan.needs.timeOrder ? newestRows(store.newestFirst(policy.order), keys, rows.rowOf) : null,
      sources: sources === null ? null : sourceColumns(sources, keys.length, rows.rowOf),
    }
    near.fillBounds(candidates.cosineLow, candidates.cosineHigh, keys, rows.rowOf)
    for (const [key, strength] of terms.strengths) candidates.terms[rows.rowOf(key)] = strength
    for (const [key, strength] of paths.strengths) candidates.paths[rows.rowOf(key)] = strength
    for (const [i, key] of recent.keys.entries()) candidates.recent[rows.rowOf(key)] = i + 1
    for (const [key, strength] of linked.strengths) candidates.linked[rows.rowOf(key)] = strength
    if (anchors.plan.ran) for (const [row, key] of keys.entries()) candidates.anchors[row] = anchors.strength(key)
    const isLacking = (key: number) =>
      left !== null &&
      (rows.rowOf(key) === -1 ? isFound(key) && !parts.closed.has(key) : reach?.inexact.has(key) === true)
    const reading = createReadRows(store, plan.vector, keys, candidates, rows.rowOf, isLacking)
    const facts: Facts = {
      revision: store.revision(),
      scopeRecords: store.statistics(scopeKeys).records,
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
      ...(asked.length === 0 ? {} : { languages: { asked, of: reading.languages } }),
      candidates,
      gates: byRow(keys, store.gated()),
      reasons: byRow(keys, plan.needs.reasons ? store.reasons() : new Map()),
      freshness: byRow(keys, store.freshness(policy.freshnessOf)),
      due: byRow(keys, plan.needs.due ? store.due() : new Map()),
      records: reading.records,
      duplicates: reading.duplicates,
      ...contradictionsAmong(store, candidates.ids),
    }
    return {
      plan,
      facts,
      lexicalRanks: (ofRows) => lexical.ranksOf(ofRows.map((row) => keys[row]!)),
      omitted: () => (left === null ? null : { ...left, copies: reading.lackingCopies() }),
      read: reading.read,
      inspect,
    }
  }

  function inspect(key: number) {
    const place = vector.plan.ran ? vector.rankOf(key) : null
    const [lexicalRank = null] = lexical.ranksOf([key])
    return {
      ranks: {
        ...(lexicalRank === null ? {} : { lexical: lexicalRank }),
        ...(place === null ? {} : { vector: place.rank }),
      },
      cosine: place?.cosine ?? null,
    }
  }
}
