/** Draws the parts of a score in words. All hits share one scale, so a weak hit has short bars; the figures add up to the score. */
import type { Hit } from 'scrubjay'
import { barsOf } from 'scrubjay/devtools'
import { amount } from '../../../demo/shared/format.ts'
import { make } from '../../../demo/shared/parts.ts'

/** `most` is the score of a whole bar. */
export function hitBars({ contributions }: Hit, most: number): HTMLElement | null {
  const bars = barsOf(contributions)
  if (bars.length === 0) return null
  return make(
    'dl',
    { class: 'bars', 'aria-label': 'What made it rank here' },
    ...bars.flatMap(({ name, amount: size, reasons }) => {
      const length = make('span', { class: 'length', 'data-bar': name })
      length.style.inlineSize = `${most > 0 ? Math.min(100, (100 * Math.abs(size)) / most) : 0}%`
      return [
        make('dt', {}, name),
        make(
          'dd',
          { title: reasons.join('; ') },
          make('span', { class: 'track', 'aria-hidden': 'true' }, length),
          make('span', { class: 'figure' }, amount(size)),
        ),
      ]
    }),
  )
}
