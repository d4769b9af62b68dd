/**
 * Draws a score as a stacked bar with a legend: one part per contribution, as long as its amount. Negative amounts follow
 * at the end, hatched. All bars of a page share one scale, so their lengths can be compared.
 */
import type { Contribution } from 'scrubjay'
import { amount } from './format.ts'
import { hidden, make } from './parts.ts'

/** `most` is the score of a full bar. */
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
    make('ul', { class: 'legend', 'aria-label': 'Parts of the score' }, ...legend),
  )
}
