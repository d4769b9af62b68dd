/** Draws a score for people: at most four bars named in words, with their shares. */
import type { Hit } from '../../core/model/result.ts'
import { barsOf } from '../report/bars.ts'
import { element, svgElement } from './element.ts'

export function drawBars({ contributions }: Hit): HTMLElement {
  return element(
    'dl',
    { class: 'bars' },
    ...barsOf(contributions).flatMap(({ name, share, amount, reasons }) => [
      element('dt', { title: reasons.join('; ') }, name),
      element('dd', {}, drawBar(share, amount < 0)),
      element('dd', { class: 'number' }, `${Math.round(100 * share)} %`),
    ]),
  )
}

/** Hidden from screen readers, because the row has the share as text. */
function drawBar(share: number, isNegative: boolean): Element {
  return svgElement(
    'svg',
    { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' },
    svgElement('rect', { class: 'track', x: 0, y: 0, width: 100, height: 10 }),
    svgElement('rect', {
      class: isNegative ? 'less' : 'more',
      x: 0,
      y: 0,
      width: Math.max(1, 100 * share),
      height: 10,
    }),
  )
}
