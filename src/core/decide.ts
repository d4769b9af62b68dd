/**
 * Decides a recall: from facts and a plan to hits, evidence, ledger and receipt. Pure.
 * Returns the answer, or the rows whose records and exact cosines it still needs.
 */

import { evidenceOf, mixOf, strengthOrder } from './evidence/evidence.ts'
import { withinStrength } from './evidence/probability.ts'
import { ofNamedSpeaker, ofRightPerson } from './evidence/right-person.ts'
import type { Facts, Need } from './model/facts.ts'
import type { QueryPlan } from './model/query-plan.ts'
import type { StoredRecord } from './model/record.ts'
import type { Evidence, Hit, RecallResult, Stage } from './model/result.ts'
import type { Ranked } from './order/order.ts'
import { ranksOf, rowsForRanks } from './order/ranks.ts'
import type { Rejected, RejectedRange } from './order/rejected.ts'
import { authorityContextOf } from './present/authority-context.ts'
import { type PackedLedger, packLedger } from './present/ledger.ts'
import { hitPresenter } from './present/present-hit.ts'
import { receiptOf } from './present/receipt.ts'
import { warningsOf } from './present/warnings.ts'
import { asksForLedger } from './select/asks-for-ledger.ts'
import { type Selection, select } from './select/select.ts'
import { tokenise } from './text/tokenise/tokenise.ts'

/** A result without the time, which only the caller can measure. The ledger is packed; null if the query does not ask for it. */
export type Decision = Omit<RecallResult, 'tookMs' | 'facts' | 'ledger'> & {
  readonly ledger: PackedLedger | null
}

/** One step: the answer, or what must be read into the facts before the next call. */
export function decide(plan: QueryPlan, facts: Facts): Decision | Need {
  return deciding(plan, facts).next().value
}

/**
 * All steps: yields the rows to read, continues when they are in the facts, and returns the answer that `decide` gives for the final
 * facts.
 */
export function* deciding(plan: QueryPlan, facts: Facts): Generator<Need, Decision, void> {
  return yield* presenting(plan, facts, yield* select(plan, facts))
}

/** The steps after the selection. */
export function* presenting(plan: QueryPlan, facts: Facts, selection: Selection): Generator<Need, Decision, void> {
  const { first, second, next, selected, collapsed, scoring } = selection
  const reserved = selection.reserved.selected
  const shown = reserved.length === 0 ? selected : [...selected, ...reserved]
  const cosines = rowsForRanks(facts, shown)
  if (cosines.length > 0) {
    yield { need: { records: [], cosines } }
    // The ledger uses these cosines, too, as it does when they are known from the start.
    scoring.bounds.refresh(cosines)
  }
  const { languages } = facts
  const isNeeded = languages !== undefined && plan.policy.evidence.acrossLanguages !== undefined
  if (first !== undefined && isNeeded && !languages.of.has(first.row))
    yield { need: { records: [], cosines: [], languages: [first.row] } }
  const found = evidenceOf(
    facts,
    { first, second, next, typed: plan.typed, timeWords: timeWordsOf(plan) },
    plan.policy.evidence,
  )
  const best = first === undefined ? undefined : facts.records.get(first.row)
  const rows = first === undefined ? [] : [first.row, ...next]
  const ofPerson = ofNamedSpeaker(ofRightPerson(found, plan.query.text ?? '', best), plan, facts, rows)
  const evidence = withinStrength(ofPerson, mixOf(facts, found))
  const enough = isEnough(plan, evidence)
  const ranks = ranksOf(facts, shown)
  const hitOf = hitPresenter(plan, facts, selection)
  const present = (entry: Ranked, i: number) =>
    hitOf(entry, collapsed.get(entry.row) ?? [], { ...ranks[i], ...scoring.ranks?.(entry.row) })
  const hits = (enough ? selected : []).map(present)
  const kept = reserved.map((entry, i) => present(entry, selected.length + i))
  const ids = new Set(hits.map(({ id }) => id))
  const all = [...hits, ...kept.filter(({ id }) => !ids.has(id))]
  const ledger = asksForLedger(plan) ? ledgerOf(plan, facts, selection, evidence) : null
  return {
    hits: hits.map((hit) => shortened(hit, plan.query.select)),
    ...(plan.query.reserve === undefined ? {} : { reserved: kept.map((hit) => shortened(hit, plan.query.select)) }),
    evidence,
    plan: {
      channels: facts.channels,
      ...(facts.existence === null ? {} : { existence: facts.existence }),
      policy: `${plan.policy.name} v${plan.policy.version}`,
      scope: facts.scopeRecords,
      notes: [...plan.notes, ...facts.notes],
      read: plan.read ?? [],
    },
    ledger,
    warnings: warningsOf(all, facts.contradictions),
    authorityContext: authorityContextOf(all, plan.authority),
    receipt: receiptOf(plan, facts.revision, all, ledger?.ids ?? null),
  }
}

function isEnough({ query }: QueryPlan, { strength }: Evidence): boolean {
  return strengthOrder[strength] >= strengthOrder[query.minEvidence ?? 'none']
}

function ledgerOf(plan: QueryPlan, facts: Facts, selection: Selection, evidence: Evidence): PackedLedger {
  const { entries, ranges } = losses(plan, selection, evidence)
  return packLedger(facts, entries, ranges, plan.query.explain === true)
}

export type Loss = Pick<Rejected, 'reason' | 'stage'>

/** What the ledger says of a candidate; undefined if it is selected. */
export function lossOf(plan: QueryPlan, selection: Selection, evidence: Evidence, row: number): Loss | undefined {
  const { entries, ranges } = losses(plan, selection, evidence, row)
  return entries.find((entry) => entry.row === row) ?? ranges.find(({ rows }) => rows.includes(row))
}

function losses(
  plan: QueryPlan,
  { selected, rejected, rejectedRanges }: Selection,
  evidence: Evidence,
  only?: number,
): { readonly entries: readonly Rejected[]; readonly ranges: readonly RejectedRange[] } {
  const { strength } = evidence
  const ranges = rejectedRanges(only)
  // The records of a withheld answer are rejected in the evidence stage: a larger limit would not add them.
  if (isEnough(plan, evidence) || selected.length === 0) return { entries: rejected, ranges }
  const withheld = { reason: `evidence is ${strength}`, stage: 'evidence' } as const
  const withhold = <T extends { readonly stage: Stage }>(entry: T): T =>
    isFiltered(entry) ? entry : { ...entry, ...withheld }
  return {
    entries: [...selected.map(({ row, score }): Rejected => ({ row, score, ...withheld })), ...rejected.map(withhold)],
    ranges: ranges.map(withhold),
  }
}

/** The hit with the selected fields of its record, and the id. */
function shortened(hit: Hit, fields: readonly (keyof StoredRecord)[] | undefined): Hit {
  if (fields === undefined) return hit
  const wanted = new Set<string>([...fields, 'id'])
  const record = Object.fromEntries(Object.entries(hit.record).filter(([name]) => wanted.has(name)))
  return { ...hit, record: record as unknown as StoredRecord }
}

/** Whether a record was excluded for its own properties, and not because of other records in the answer. */
function isFiltered({ stage }: { readonly stage: Stage }): boolean {
  return stage === 'gate' || stage === 'candidates'
}

/** Folded. A text that holds all of them names the times of the question. */
function timeWordsOf({ asWritten, times = [] }: QueryPlan): readonly string[] {
  return asWritten ?? times.flatMap(({ text }) => tokenise(text).map(({ word }) => word))
}
