/** Shows the candidates that were not selected: first the number per stage, then each candidate with its reason. */
import type { LedgerEntry, PackageLedgerEntry } from 'scrubjay'
import { amount, counted, wholeNumber } from './format.ts'
import { explainError } from './notice.ts'
import { hidden, make } from './dom.ts'

const shownAtMost = 200

/** Explains one candidate; `from` is the button that was pressed. */
export type AskWhy = (id: string, from: HTMLElement) => void

/** A rejected candidate of an answer, or of a context, where candidates have no score. */
type Rejected = LedgerEntry | PackageLedgerEntry

/** The candidates, or how to ask for them, which happens when the list is opened. Without `why`, the lines have no button. */
export function ledgerFold(
  ledger: readonly Rejected[] | (() => Promise<readonly Rejected[]>),
  isOpen: boolean,
  why: AskWhy | null,
): HTMLElement {
  const isKnown = typeof ledger !== 'function'
  const summary = make('summary', {}, isKnown ? summaryOf(ledger) : 'Left out')
  const fold = make('details', { class: 'ledger', open: isOpen && !(isKnown && ledger.length === 0) }, summary)
  let isFilled = false
  const fill = async () => {
    if (isFilled) return
    isFilled = true
    try {
      const known = isKnown ? ledger : await ledger()
      summary.textContent = summaryOf(known)
      fold.append(...content(known, why))
    } catch (error) {
      isFilled = false
      explainError('The candidates could not be read.', error)
    }
  }
  if (fold.open) void fill()
  fold.addEventListener('toggle', () => void fill())
  return fold
}

function summaryOf(ledger: readonly Rejected[]): string {
  return `Left out: ${counted(ledger.length, 'candidate')}`
}

function content(ledger: readonly Rejected[], why: AskWhy | null): HTMLElement[] {
  if (ledger.length === 0) return [make('p', { class: 'quiet' }, 'Every candidate was selected.')]
  const rest = ledger.length - shownAtMost
  return [
    make('p', { class: 'quiet' }, countedReasons(ledger)),
    make(
      'ul',
      { class: 'ledger-rows', tabindex: 0, 'aria-label': 'Candidates left out' },
      ...ledger.slice(0, shownAtMost).map((dropped) => row(dropped, why)),
      rest > 0 ? make('li', { class: 'quiet' }, `and ${wholeNumber(rest)} more`) : null,
    ),
  ]
}

function row(rejected: Rejected, why: AskWhy | null): HTMLElement {
  const { id, reason, stage } = rejected
  const score = 'score' in rejected ? rejected.score : undefined
  return make(
    'li',
    {},
    make('span', { class: 'id' }, id),
    why === null ? null : whyButton(id, why),
    make('span', { class: 'quiet' }, `${stage}: ${reason}${score === undefined ? '' : ` (${amount(score)})`}`),
  )
}

function whyButton(id: string, why: AskWhy): HTMLElement {
  const ask = make('button', { type: 'button', class: 'small' }, 'Why?', hidden(` ${id}`))
  ask.addEventListener('click', () => why(id, ask))
  return ask
}

function countedReasons(ledger: readonly Rejected[]): string {
  const counts = new Map<string, number>()
  for (const { stage } of ledger) counts.set(stage, (counts.get(stage) ?? 0) + 1)
  return [...counts].map(([stage, count]) => `${stage} ${wholeNumber(count)}`).join(' · ')
}
