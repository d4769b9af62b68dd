/** Draws a score as a waterfall: each contribution begins where the previous one ends. The numbers are next to the bars. */
import type { Contribution, Hit } from '../../core/model/result.ts'
import { shortNumber } from '../report/tables.ts'
import { element, svgElement } from './element.ts'

/** `highest`: the score that fills the whole width; the same for all hits of an answer. */
export function drawWaterfall({ contributions, score }: Hit, highest: number): HTMLElement {
  const span = spanOf(contributions, highest)
  let before = 0
  const rows = contributions
    .filter(({ amount }) => amount !== 0)
    .map((contribution) => {
      const from = before
      before += contribution.amount
      return drawRow(contribution, from, before, span)
    })
  return element(
    'table',
    { class: 'waterfall' },
    element('caption', { class: 'unseen' }, `What makes up the score ${shortNumber(score)}`),
    element('colgroup', {}, ...['signal', 'bar', 'amount', 'reason'].map((name) => element('col', { class: name }))),
    element(
      'thead',
      { class: 'unseen' },
      element('tr', {}, ...['signal', 'bar', 'amount', 'reason'].map((name) => element('th', { scope: 'col' }, name))),
    ),
    element('tbody', {}, ...rows),
  )
}

interface Span {
  readonly from: number
  readonly to: number
}

/** Returns the lowest and the highest partial sum. */
function spanOf(contributions: readonly Contribution[], highest: number): Span {
  let sum = 0
  let from = 0
  let to = highest
  for (const { amount } of contributions) {
    sum += amount
    from = Math.min(from, sum)
    to = Math.max(to, sum)
  }
  return { from, to: to > from ? to : from + 1 }
}

function drawRow({ signal, amount, reason }: Contribution, from: number, to: number, span: Span): HTMLElement {
  const percent = (value: number) => ((value - span.from) / (span.to - span.from)) * 100
  const left = percent(Math.min(from, to))
  const width = Math.max(0.6, percent(Math.max(from, to)) - left)
  // Hidden from screen readers, because the row has the same numbers as text.
  const bar = svgElement(
    'svg',
    { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' },
    svgElement('rect', { class: 'track', x: 0, y: 0, width: 100, height: 10 }),
    svgElement('rect', {
      class: amount < 0 ? 'less' : 'more',
      x: Number(left.toFixed(3)),
      y: 0,
      width: Number(width.toFixed(3)),
      height: 10,
    }),
  )
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, signal),
    element('td', { class: 'bar' }, bar),
    element('td', { class: 'number' }, `${amount < 0 ? '−' : '+'}${shortNumber(Math.abs(amount))}`),
    element('td', { class: 'reason' }, reason),
  )
}
