/** The candidates that were not selected, each with its reason: first the reasons counted, then one line a record. */
import type { Dropped } from 'scrubjay'
import { amount, counted, wholeNumber } from './format.ts'
import { hidden, make } from './parts.ts'

const shownAtMost = 200

/** `why` is asked for one of them. */
export type AskWhy = (id: string, from: HTMLElement) => void

export function ledgerFold(ledger: readonly Dropped[], isOpen: boolean, why: AskWhy): HTMLElement {
  const fold = make(
    'details',
    { class: 'ledger', open: isOpen && ledger.length > 0 },
    make('summary', {}, `Left out: ${counted(ledger.length, 'candidate')}`),
  )
  let isFilled = false
  const fill = () => {
    if (isFilled) return
    isFilled = true
    fold.append(...content(ledger, why))
  }
  if (fold.open) fill()
  fold.addEventListener('toggle', fill)
  return fold
}

function content(ledger: readonly Dropped[], why: AskWhy): HTMLElement[] {
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

function row({ id, reason, stage, score }: Dropped, why: AskWhy): HTMLElement {
  const ask = make('button', { type: 'button', class: 'small' }, 'Why?', hidden(` ${id}`))
  ask.addEventListener('click', () => why(id, ask))
  return make(
    'li',
    {},
    make('span', { class: 'id' }, id),
    ask,
    make('span', { class: 'quiet' }, `${stage}: ${reason}${score === undefined ? '' : ` (${amount(score)})`}`),
  )
}

function countedReasons(ledger: readonly Dropped[]): string {
  const counts = new Map<string, number>()
  for (const { stage } of ledger) counts.set(stage, (counts.get(stage) ?? 0) + 1)
  return [...counts].map(([stage, count]) => `${stage} ${wholeNumber(count)}`).join(' · ')
}
