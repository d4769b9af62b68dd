/** Builds the tables of an answer for text, HTML and the inspector: columns and cells, without styles. */
import type { ChannelPlan, LedgerEntry, Hit, RecallResult } from '../../core/model/result.ts'

export interface Table {
  readonly caption: string
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[]
  readonly rows: readonly (readonly string[])[]
}

export interface TableOptions {
  /** Maximum number of ledger rows. The caption has the total. Default 50. */
  readonly maxDropped?: number | undefined
}

/** Returns three tables: hits with the contributions of their scores, the plan by channel, the ledger. Without a ledger in the answer, the last table is empty. */
export function tablesOf(result: RecallResult, { maxDropped = 50 }: TableOptions = {}): readonly Table[] {
  return [hitsTable(result), planTable(result), ledgerTable(result.ledger, maxDropped)]
}

export function hitsTable({ hits, evidence }: RecallResult): Table {
  const signals = [...new Set(hits.flatMap(({ contributions }) => contributions.map(({ signal }) => signal)))]
  return {
    caption: `${hits.length} ${hits.length === 1 ? 'hit' : 'hits'}, evidence ${evidence.strength}, coverage ${shortNumber(evidence.coverage)}, top cosine ${evidence.topCosine === null ? 'none' : shortNumber(evidence.topCosine)}, gap ${shortNumber(evidence.gap)}`,
    columns: [
      number('#'),
      text('id'),
      number('score'),
      ...signals.map(number),
      text('matched'),
      text('ranks'),
      text('freshness'),
    ],
    rows: hits.map((hit, i) => [
      `${i + 1}`,
      hit.id,
      shortNumber(hit.score),
      ...signals.map((signal) => amountOf(hit, signal)),
      hit.matched.join(', '),
      Object.entries(hit.ranks)
        .map(([channel, rank]) => `${channel} ${rank}`)
        .join(', '),
      hit.freshness,
    ]),
  }
}

export function planTable({ plan }: RecallResult): Table {
  const notes = plan.notes.length === 0 ? '' : `; ${plan.notes.join('; ')}`
  return {
    caption: `Plan: policy ${plan.policy}, ${plan.scope} records in scope${notes}`,
    columns: [
      text('channel'),
      text('ran'),
      text('mode'),
      number('scanned'),
      number('matched'),
      text('complete'),
      text('why'),
    ],
    rows: Object.entries(plan.channels).map(
      ([channel, { ran, mode, scanned, matched, complete, why }]: [string, ChannelPlan]) => [
        channel,
        yesNo(ran),
        mode ?? '',
        `${scanned}`,
        `${matched}`,
        yesNo(complete),
        why ?? '',
      ],
    ),
  }
}

export function ledgerTable(ledger: readonly LedgerEntry[] | null, maxDropped: number): Table {
  if (ledger === null)
    return { caption: 'Ledger: not in this answer. Recall with `ledger: true`.', columns: [], rows: [] }
  const shown = ledger.slice(0, maxDropped)
  const rest = ledger.length > shown.length ? `, the first ${shown.length} shown` : ''
  return {
    caption: `Ledger: ${ledger.length} not selected${rest}`,
    columns: [text('id'), text('stage'), text('reason'), number('score')],
    rows: shown.map(({ id, stage, reason, score }) => [
      id,
      stage,
      reason,
      score === undefined ? '' : shortNumber(score),
    ]),
  }
}

/** Formats a number with up to four decimals, without trailing zeros; a smaller number with one digit and an exponent. */
export function shortNumber(value: number): string {
  const rounded = Number(value.toFixed(4))
  return `${rounded === 0 && value !== 0 ? value.toExponential(0) : rounded}`
}

function amountOf(hit: Hit, signal: string): string {
  const found = hit.contributions.find((contribution) => contribution.signal === signal)
  return found === undefined ? '' : shortNumber(found.amount)
}

function text(name: string) {
  return { name, isNumber: false }
}

function number(name: string) {
  return { name, isNumber: true }
}

function yesNo(is: boolean): string {
  return is ? 'yes' : 'no'
}
