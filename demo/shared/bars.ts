/** Draws a score for people: a thin bar in a row, or at most four bars in words. */
import type { Contribution, Hit } from 'scrubjay'
import { barsOf } from 'scrubjay/devtools'
import { drawBars } from './drawn-bars.ts'
import { make } from './dom.ts'

/** One line: the parts of the score by colour. Its whole length compares the hit with the best one. */
export function thinBar({ contributions, score }: Hit, most: number): HTMLElement {
  const bars = barsOf(contributions)
  const length = most > 0 ? Math.max(0, score) / most : 0
  const parts = bars.map(({ name, share }) => {
    const part = make('span', { class: 'bar-part', 'data-bar': name })
    part.style.inlineSize = `${100 * share * length}%`
    return part
  })
  const text = `Found by ${bars.map(({ name, share }) => `${name} ${Math.round(100 * share)} %`).join(', ')}`
  return make('div', { class: 'bar thin', role: 'img', 'aria-label': text, title: text }, ...parts)
}

/** A whole bar is the whole score. */
export function barList(contributions: readonly Contribution[]): HTMLElement | null {
  return drawBars(barsOf(contributions), ({ share }) => ({
    percent: Math.max(1, 100 * share),
    figure: `${Math.round(100 * share)} %`,
  }))
}
