/**
 * A score as one stacked bar and its legend: a part per contribution, as long as its amount. Amounts below zero hang on
 * the end, hatched. Bars of one page share one scale, so their lengths compare.
 */
import type { Contribution } from 'scrubjay'
import { amount } from './format.ts'
import { hidden, make } from './parts.ts'

/** `most` is the score a full bar stands for. */
export function scoreBar(contributions: readonly Contribution[], most: number): HTMLElement {
  const parts = contributions.map(({ signal, amount: size, reason }) => {
    const part = make('span', {
      class: 'bar-part',
      'data-signal': signal,
      'data-negative': size < 0,
      title: `${signal} ${amount(size)}: ${reason}`,
    })
    part.style.inlineSize = `${most > 0 ? (100 * Math.abs(size)) / most : 0}%`
    return part
  })
  const legend = contributions.map(({ signal, amount: size, reason }) =>
    make(
      'li',
      { 'data-signal': signal, title: reason },
      make('span', { class: 'swatch', 'aria-hidden': 'true' }),
      `${signal} `,
      make('b', {}, amount(size)),
      hidden(`: ${reason}`),
    ),
  )
  return make(
    'div',
    { class: 'score' },
    make('div', { class: 'bar', 'aria-hidden': 'true' }, ...parts),
    make('ul', { class: 'legend', 'aria-label': 'What the score is made of' }, ...legend),
  )
}
