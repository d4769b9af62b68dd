/** Lists the logged events of one record in words, oldest first. */
import type { EventKind, LoggedEvent } from 'scrubjay'
import { amount, moment } from '../format.ts'
import { make } from '../dom.ts'

const shownAtMost = 40

export function timeline(id: string, events: readonly LoggedEvent[]): HTMLElement {
  const own = events.filter((event) => event.id === id)
  const shown = own.slice(-shownAtMost)
  return make(
    'div',
    { class: 'life-part' },
    make('h4', { id: 'timeline-heading' }, 'What happened'),
    own.length > shown.length
      ? make('p', { class: 'quiet' }, `The last ${shown.length} of ${own.length} events.`)
      : null,
    shown.length === 0
      ? make('p', { class: 'quiet' }, 'The log has no events of this record any more.')
      : make('ol', { class: 'timeline', 'aria-labelledby': 'timeline-heading', tabindex: 0 }, ...shown.map(line)),
  )
}

function line({ kind, at, revision, detail }: LoggedEvent): HTMLElement {
  return make(
    'li',
    { 'data-kind': kind },
    make('b', {}, words[kind]),
    ' ',
    detailInWords(detail),
    make('time', { class: 'quiet', datetime: new Date(at).toISOString(), title: `Revision ${revision}` }, moment(at)),
  )
}

function detailInWords(detail: LoggedEvent['detail']): string {
  return Object.entries(detail ?? {})
    .map(([name, value]) => (name === 'other' ? value : `${name} ${typeof value === 'number' ? figure(value) : value}`))
    .join(', ')
}

function figure(value: number): string {
  return Number.isInteger(value) ? String(value) : amount(value)
}

const words: Readonly<Record<EventKind, string>> = {
  create: 'Stored',
  update: 'Changed',
  touch: 'Put again, unchanged',
  delete: 'Forgotten',
  read: 'Read',
  outcome: 'Outcome:',
  confidence: 'Confidence updated:',
  link: 'Linked:',
  unlink: 'Unlinked:',
  weaken: 'Links weakened',
  predict: 'Predicted',
  resolve: 'Prediction resolved:',
  propose: 'Proposed',
  settle: 'Proposal resolved:',
  expire: 'Proposal expired',
  import: 'Imported',
  conflict: 'Changed on two devices, one change won:',
}
