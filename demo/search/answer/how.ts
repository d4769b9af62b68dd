/** Shows how an answer was computed: times, channels, rejected candidates and the receipt. */
import type { Plan, Recall, Receipt } from 'scrubjay'
import { copyButton } from '../../shared/copy-button.ts'
import { figuresOf } from '../../shared/evidence.ts'
import { counted, milliseconds, wholeNumber } from '../../shared/format.ts'
import { type AskWhy, ledgerFold } from '../../shared/ledger.ts'
import { hidden, make, partById } from '../../shared/dom.ts'
import type { Answer } from './search.ts'

export interface How {
  show(answer: Answer): void
}

/** The ledger is asked for when it is opened: it has more lines than the answer. */
export function createHow(recall: Recall, why: AskWhy): How {
  const place = partById('how')

  return {
    show({ query, result, roundTripMs }) {
      const isLedgerOpen = place.querySelector<HTMLDetailsElement>('.ledger')?.open ?? false
      const ledger = async () => (await recall.recall({ ...query, explain: true })).ledger ?? []
      place.replaceChildren(
        timing(result.tookMs, roundTripMs),
        make('p', { class: 'quiet' }, figuresOf(result.evidence.coverage, result.evidence.topCosine)),
        planTable(result.plan),
        ...notes(result.plan),
        ledgerFold(ledger, isLedgerOpen, why),
        receiptLines(result.receipt, result.plan),
      )
    },
  }
}

function timing(tookMs: number, roundTripMs: number): HTMLElement {
  return make(
    'div',
    { class: 'timing' },
    make(
      'p',
      {},
      make('strong', {}, milliseconds(tookMs)),
      ' in the engine',
      make('span', { class: 'quiet' }, `${milliseconds(roundTripMs)} round trip`),
    ),
  )
}

function planTable({ channels }: Plan): HTMLElement {
  const rows = Object.entries(channels).flatMap(([name, { ran, why, mode, scanned, matched, complete }]) => {
    const figures = ran ? [wholeNumber(scanned), wholeNumber(matched)] : ['', '']
    const main = make(
      'tr',
      { 'data-ran': String(ran) },
      make('th', { scope: 'row' }, make('span', { class: 'dot', 'aria-hidden': 'true' }), name),
      make('td', {}, ran ? (mode ?? 'ran') : 'not run'),
      ...figures.map((figure) => make('td', { class: 'figure' }, figure)),
      make('td', { class: 'figure' }, ran ? completeness(complete) : ''),
    )
    const reason = make(
      'tr',
      { class: 'why' },
      make('td', { colspan: 5 }, why === undefined ? '' : (reasonsInWords[why] ?? why)),
    )
    return why === undefined ? [main] : [main, reason]
  })
  return make(
    'table',
    { class: 'plan' },
    make('caption', { class: 'hidden' }, 'Channels that looked for records'),
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        ...['Channel', 'Mode', 'Scanned', 'Matched', 'Complete'].map((name, i) =>
          make(
            'th',
            {
              scope: 'col',
              class: i > 1 ? 'figure' : null,
              title: name === 'Complete' ? 'No match was missed because of a limit or an approximation' : null,
            },
            name,
          ),
        ),
      ),
    ),
    make('tbody', {}, ...rows),
  )
}

/** The engine's reasons why a channel did not run. */
export const reasonsInWords: Readonly<Record<string, string>> = {
  'the query says what it wants': 'not needed: the question has text',
  'the query names none': 'no names in the question',
  'the query prefers none': 'no preference set',
  'nothing is linked that was asked for': 'no links to follow',
  'only assemble surfaces what is due': 'used only when a context is assembled',
}

function completeness(complete: boolean): HTMLElement {
  return complete
    ? make(
        'span',
        { title: 'Complete: no match was missed' },
        make('span', { 'aria-hidden': 'true' }, '✓'),
        hidden('yes'),
      )
    : make('span', { title: 'Cut off at a limit: matches may have been missed' }, 'cut')
}

function notes({ notes: lines }: Plan): HTMLElement[] {
  return lines.length === 0 ? [] : [make('ul', { class: 'notes' }, ...lines.map((note) => make('li', {}, note)))]
}

function receiptLines({ id, storeRevision, digest }: Receipt, { policy, scope }: Plan): HTMLElement {
  const pairs: readonly (readonly [string, string | HTMLElement])[] = [
    [
      'Receipt',
      make(
        'span',
        { class: 'receipt-id' },
        make('code', {}, id),
        copyButton('Copy the receipt id', () => id),
      ),
    ],
    ['Policy', policy],
    ['Scope', counted(scope, 'record')],
    ['Revision', wholeNumber(storeRevision)],
    ['Digest', make('code', { title: digest }, `${digest.slice(0, 16)}…`)],
  ]
  return make(
    'dl',
    { class: 'facts' },
    ...pairs.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
  )
}
