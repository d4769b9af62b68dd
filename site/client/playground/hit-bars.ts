/** Draws the parts of a score in words. All hits share one scale, so a weak hit has short bars; the figures add up to the score. */
import type { Hit } from 'scrubjay'
import { barsOf } from 'scrubjay/devtools'
import { drawBars } from '../../../demo/shared/drawn-bars.ts'
import { amount } from '../../../demo/shared/format.ts'

/** `most` is the score of a whole bar. */
export function hitBars({ contributions }: Hit, most: number): HTMLElement | null {
  return drawBars(barsOf(contributions), (bar) => ({
    percent: most > 0 ? Math.min(100, (100 * Math.abs(bar.amount)) / most) : 0,
    figure: amount(bar.amount),
  }))
}
