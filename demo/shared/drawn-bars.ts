/** Draws the parts of a score as bars, each with its name and a figure. */
import type { Bar } from 'scrubjay/devtools'
import { make } from './dom.ts'

/** `shown`: the length of a bar, 0 to 100, and its figure. Null without bars. */
export function drawBars(
  bars: readonly Bar[],
  shown: (bar: Bar) => { readonly percent: number; readonly figure: string },
): HTMLElement | null {
  if (bars.length === 0) return null
  return make(
    'dl',
    { class: 'bars', 'aria-label': 'What made it rank here' },
    ...bars.flatMap((bar) => {
      const { percent, figure } = shown(bar)
      const length = make('span', { class: 'length', 'data-bar': bar.name })
      length.style.inlineSize = `${percent}%`
      return [
        make('dt', {}, bar.name),
        make(
          'dd',
          { title: bar.reasons.join('; ') },
          make('span', { class: 'track', 'aria-hidden': 'true' }, length),
          make('span', { class: 'figure' }, figure),
        ),
      ]
    }),
  )
}
