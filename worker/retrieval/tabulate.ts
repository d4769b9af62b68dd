/** Makes the facts of a question from the candidates of a choice: plain data with one row per candidate. */
import type { CandidateTable, Facts } from '../../src/core/model/facts.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { Store } from '../store/port/store.ts'
import { byRow, columnsOf } from './candidates/candidate-table.ts'
import { createReadRows, type ReadRows } from './candidates/read-rows.ts'
import { type FoundRecords, isFoundBy, type OpenChannels } from './channels/channels.ts'
import type { CandidateRows, KeyRows } from './question/key-rows.ts'
import type { RetrievalPorts } from './question/ports.ts'
import type { Question } from './question/question.ts'
import type { Choice } from './top-k/choose.ts'

export interface Tabulated {
  readonly rows: CandidateRows
  readonly facts: Facts
  readonly reading: ReadRows
}

export function tabulate(
  question: Question,
  { channels, ports }: { readonly channels: OpenChannels; readonly ports: Pick<RetrievalPorts, 'rows' | 'index'> },
  found: FoundRecords,
  { sets, unseen, inexact, also }: Choice,
): Tabulated {
  const { store, plan, scope, parts } = question
  const { policy, needs } = plan
  const rows = numbered(ports.rows, sets, store)
  const { keys, rowOf } = rows
  const candidates: CandidateTable = {
    ...columnsOf(question, rows),
    ...found.lexical.columns(rows),
    ...found.terms.columns(rows),
    ...found.paths.columns(rows),
    ...found.sources.columns(rows),
    ...found.linked.columns(rows),
    ...found.anchors.columns(rows),
    ...found.vector.columns(rows),
    ...found.recent.columns(rows),
    ...passagesOf(question, channels, rows),
  }
  const isFound = isFoundBy(question, channels)
  const isLacking = (key: number) =>
    unseen !== null && (rowOf(key) === -1 ? isFound(key) && !parts.filtered.has(key) : inexact.has(key))
  const isOpen = (key: number) => question.isInScope(key) && !parts.filtered.has(key)
  const reading = createReadRows(question, ports.index, rows, candidates, isLacking, isOpen)
  const asked = channels.vector.facts === null ? [] : store.forms.languagesOf(plan.text)
  const facts: Facts = {
    revision: store.revision(),
    scopeRecords: store.statistics(scope).records,
    channels: plansOf(found),
    ...(question.ofTimes === null ? {} : { ofTimes: question.ofTimes }),
    notes: [],
    existence: question.existence,
    lexical: channels.lexical.facts,
    vector: channels.vector.facts,
    ...(asked.length === 0 ? {} : { languages: { asked, of: reading.languages } }),
    candidates,
    gates: byRow(keys, store.gated()),
    reasons: byRow(keys, needs.reasons ? store.reasons() : new Map()),
    freshness: byRow(keys, store.freshness(policy.freshnessOf)),
    due: byRow(keys, needs.due ? store.due() : new Map()),
    records: reading.records,
    duplicates: reading.duplicates,
    ...(candidates.passages === undefined ? {} : { nearest: reading.nearest }),
    ...contradictionsAmong(store, candidates.ids),
    ...unfoundAmong(also.filter((key) => !isFound(key)).map(rowOf)),
  }
  return { rows, facts, reading }
}

/** The best passages of the long candidates, under a policy that ranks by passages. */
function passagesOf({ store, plan }: Question, { lexical }: OpenChannels, { keys }: CandidateRows) {
  const table = plan.policy.lexical.passages === undefined ? null : store.passages()
  if (table === null) return {}
  const passages = new Map<number, readonly number[]>()
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row]!
    if ((table.first[key] ?? 0) !== 0) passages.set(row, lexical.passages(key, plan.query.passages ?? 1))
  }
  return passages.size === 0 ? {} : { passages }
}

function numbered(keyRows: KeyRows, sets: Choice['sets'], store: Store): CandidateRows {
  keyRows.start(store.lastKey())
  for (const set of sets) for (const key of set) keyRows.add(key)
  return keyRows.candidates()
}

function plansOf({ lexical, terms, paths, vector, recent, linked, anchors, times }: FoundRecords): Facts['channels'] {
  const cyclic: ChannelPlan = {
    ran: false,
    why: 'only assemble surfaces what is due',
    scanned: 0,
    matched: 0,
    complete: true,
  }
  return {
    lexical: lexical.plan,
    terms: terms.plan,
    paths: paths.plan,
    vector: vector.plan,
    recent: recent.plan,
    linked: linked.plan,
    anchors: anchors.plan,
    cyclic,
    ...(times.plan === null ? {} : { times: times.plan }),
  }
}

function unfoundAmong(rows: readonly number[]): Pick<Facts, 'unfound'> {
  return rows.length === 0 ? {} : { unfound: new Set(rows) }
}

/** Most stores have no contradictions, and then nothing is added. */
function contradictionsAmong(store: Store, ids: readonly string[]): Pick<Facts, 'contradictions' | 'agreements'> {
  const pairs = store.learning.contradictions()
  const agreed = store.learning.agreements()
  if (pairs.length + agreed.length === 0) return {}
  const candidates = new Set(ids)
  const agreements = agreed.filter(([later, earlier]) => candidates.has(later) && candidates.has(earlier))
  const known = pairs.filter(({ id, contradicts }) => candidates.has(id) || candidates.has(contradicts))
  return {
    ...(known.length === 0 ? {} : { contradictions: known.map(({ id, contradicts }) => [id, contradicts] as const) }),
    ...(agreements.length === 0 ? {} : { agreements }),
  }
}
