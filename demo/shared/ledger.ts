/** Shows the candidates that were not selected: first the number per stage, then each candidate with its reason. */
import type { Dropped, LeftOut } from 'scrubjay'
import { amount, counted, wholeNumber } from './format.ts'
import { hidden, make } from './parts.ts'

const shownAtMost = 200

/** Explains one candidate; `from` is the button that was pressed. */
export type AskWhy = (id: string, from: HTMLElement) => void

/** A rejected candidate of an answer, or of a context, where candidates have no score. */
type Rejected = Dropped | LeftOut

/** Without `why`, the lines have no button. */
export function ledgerFold(ledger: readonly Rejected[], isOpen: boolean, why: AskWhy | null): HTMLElement {
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
