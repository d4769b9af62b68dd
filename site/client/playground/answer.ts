/** Shows the answer of the playground: the verdict, each hit with its bars and its reasons, and what was left out. */
import type { Dropped, Hit, RecallResult } from 'scrubjay'
import { amount } from '../../../demo/shared/format.ts'
import { markedText, markedTitle, passageOf } from '../../../demo/shared/marked-text.ts'
import { make } from '../../../demo/shared/dom.ts'
import { hitBars } from './hit-bars.ts'

const verdicts = {
  strong: 'Strong evidence: the first record very likely answers.',
  weak: 'Weak evidence: related records, perhaps not the answer.',
  none: 'Nothing here answers this.',
} as const

/** Hits below this share of the best score are folded. */
const leastShare = 0.05

/** `before` has the ids of the previous answer, first one first. */
export function answerView(result: RecallResult, before: readonly string[] | null): readonly HTMLElement[] {
  const { hits, evidence, ledger } = result
  const most = Math.max(0, ...hits.map(({ score }) => score))
  const items = hits.map((hit, i) => hitItem(hit, most, moveOf(hit.id, i, before)))
  // The first hit is always shown: its own score is the measure.
  const clear = Math.max(1, hits.filter(({ score }) => score >= leastShare * most).length)
  return [
    make('p', { class: 'verdict', 'data-strength': evidence.strength }, verdicts[evidence.strength]),
    make('ol', { class: 'answer-hits' }, ...items.slice(0, clear)),
    ...far(items.slice(clear)),
    ...leftOut(ledger ?? []),
  ]
}

function hitItem(hit: Hit, most: number, move: string | null): HTMLElement {
  const { id, record, score, contributions, reasons } = hit
  const name = record.title ?? id
  return make(
    'li',
    { 'data-id': id },
    make(
      'h3',
      {},
      ...markedTitle(hit, name),
      ' ',
      make('span', { class: 'score-figure', title: 'Score' }, amount(score)),
      move === null ? null : make('span', { class: 'move' }, move),
    ),
    make('p', { class: 'snippet' }, ...markedText(passageOf(hit, name))),
    hitBars(hit, most),
    make(
      'details',
      {},
      make('summary', {}, 'Reasons and numbers'),
      make('ul', { class: 'reason-list' }, ...reasons.map((reason) => make('li', {}, reason))),
      make(
        'table',
        {},
        make('caption', { class: 'hidden' }, 'Parts of the score'),
        make(
          'tbody',
          {},
          ...contributions.map(({ signal, amount: size }) =>
            make('tr', {}, make('th', { scope: 'row' }, signal), make('td', { class: 'figure' }, amount(size))),
          ),
        ),
      ),
    ),
  )
}

function moveOf(id: string, place: number, before: readonly string[] | null): string | null {
  if (before === null) return null
  const was = before.indexOf(id)
  if (was === -1) return 'new'
  return was === place ? null : was > place ? `▲ ${was - place}` : `▼ ${place - was}`
}

function far(items: readonly HTMLElement[]): readonly HTMLElement[] {
  if (items.length === 0) return []
  const summary = items.length === 1 ? '1 far weaker record' : `${items.length} far weaker records`
  return [
    make('details', { class: 'far' }, make('summary', {}, summary), make('ol', { class: 'answer-hits' }, ...items)),
  ]
}

function leftOut(ledger: readonly Dropped[]): readonly HTMLElement[] {
  if (ledger.length === 0) return []
  return [
    make('h3', { class: 'left-out' }, 'Left out'),
    make(
      'ul',
      { class: 'left-out-list' },
      ...ledger.map(({ id, reason }) => make('li', {}, make('code', {}, id), ` ${reason}`)),
    ),
  ]
}
