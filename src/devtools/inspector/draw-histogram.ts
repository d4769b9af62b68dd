/** Draws a histogram of the times of recalls. Its accessible name has the numbers. */
import { latencyBoundsMs, type TelemetrySummary } from '../report/telemetry.ts'
import { element, svgElement } from './element.ts'

const barWidth = 10
const height = 40

export function drawHistogram({ histogram, p50Ms, p95Ms }: TelemetrySummary): HTMLElement {
  const most = Math.max(1, ...histogram)
  const bars = histogram.map((count, i) => {
    const barHeight = count === 0 ? 0.5 : Math.max(2, (count / most) * height)
    return svgElement(
      'rect',
      { class: 'more', x: i * barWidth + 1, y: height - barHeight, width: barWidth - 2, height: barHeight },
      svgElement('title', {}, `${labelOf(i)}: ${count}`),
    )
  })
  const counts = histogram.flatMap((count, i) => (count === 0 ? [] : [`${count} ${labelOf(i)}`])).join(', ')
  return element(
    'figure',
    {},
    svgElement(
      'svg',
      {
        class: 'histogram',
        viewBox: `0 0 ${histogram.length * barWidth} ${height}`,
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': `Recalls by time taken: ${counts === '' ? 'none yet' : counts}`,
      },
      ...bars,
    ),
    element(
      'div',
      { class: 'ticks', 'aria-hidden': 'true' },
      ...histogram.map((_, i) => element('span', {}, tickOf(i))),
    ),
    element(
      'figcaption',
      {},
      p50Ms === null ? 'No recall yet.' : `p50 ${ms(p50Ms)}, p95 ${ms(p95Ms ?? p50Ms)}; buckets in ms`,
    ),
  )
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`
}

function labelOf(bucket: number): string {
  const bound = latencyBoundsMs[bucket]!
  return Number.isFinite(bound) ? `up to ${bound} ms` : `over ${latencyBoundsMs[bucket - 1]} ms`
}

function tickOf(bucket: number): string {
  const bound = latencyBoundsMs[bucket]!
  return Number.isFinite(bound) ? `${bound}` : '∞'
}
