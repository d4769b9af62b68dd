/** Makes the card of one memory: source, snippet, reasons and the button that deletes it. */
import type { Hit } from 'scrubjay'
import { deleteButton } from '../shared/delete/delete-button.ts'
import { amount, day, moment } from '../shared/format.ts'
import { markedText } from '../shared/marked-text.ts'
import { hidden, make } from '../shared/parts.ts'
import { titleOf } from '../shared/title-of.ts'

export interface CardOptions {
  /** From 1. */
  readonly number: number
  /** Whether the memory is a hit of a question. Only then it has reasons. */
  readonly isAsked: boolean
  readonly remove: () => void
}

export function memoryCard(hit: Hit, { number, isAsked, remove }: CardOptions): HTMLElement {
  const titleId = `memory-${number}`
  const { kind, project, createdAt } = hit.record
  return make(
    'article',
    { class: 'hit', 'data-id': hit.id, 'aria-labelledby': titleId },
    make('header', { class: 'hit-head' }, make('h3', { id: titleId }, linkTo(hit))),
    make(
      'p',
      { class: 'hit-facts' },
      make('span', { class: 'badge' }, kind),
      project === null ? null : make('span', {}, project),
      make('time', { datetime: new Date(createdAt).toISOString(), title: moment(createdAt) }, day(createdAt)),
    ),
    make('p', { class: 'snippet' }, ...markedText(hit.snippet)),
    isAsked ? reasonsOf(hit) : null,
    deleteButton('memory', remove),
  )
}

/** Links only to web addresses: a stored address could be a script. */
function linkTo({ record }: Hit): HTMLElement | string {
  const title = titleOf(record)
  const { url } = record.metadata
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return title
  return make('a', { href: url, target: '_blank', rel: 'noreferrer' }, title, hidden(' (opens in a new tab)'))
}

function reasonsOf({ contributions, score }: Hit): HTMLElement {
  const lines = contributions
    .filter(({ amount: size }) => Math.abs(size) >= minAmount)
    .map(({ signal, amount: size, reason }) =>
      make('li', { 'data-signal': signal }, make('b', {}, amount(size)), ` ${reason}`),
    )
  return make(
    'details',
    { open: true },
    make('summary', {}, `Why it is here: ${amount(score)}`),
    make('ul', { class: 'reasons' }, ...lines),
  )
}

// Smaller amounts are left out: they would be shown as 0.00.
const minAmount = 0.005
