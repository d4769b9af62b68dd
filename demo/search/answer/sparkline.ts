/** Draws the last round trips as a line, the newest at the right. The longest one is at the top. */
import { milliseconds } from '../../shared/format.ts'
import { draw } from '../../shared/parts.ts'

const width = 120
const height = 32
const margin = 3

export function sparkline(valuesMs: readonly number[]): Element {
  const most = Math.max(...valuesMs, 1)
  const sorted = [...valuesMs].sort((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  const label = `Last ${valuesMs.length} round trips: median ${milliseconds(median)}, longest ${milliseconds(most)}`
  const step = (width - 2 * margin) / Math.max(1, valuesMs.length - 1)
  const points = valuesMs.map((value, i) => {
    const x = width - margin - (valuesMs.length - 1 - i) * step
    const y = height - margin - (value / most) * (height - 2 * margin)
    return [x.toFixed(1), y.toFixed(1)] as const
  })
  const [x = 0, y = 0] = points.at(-1) ?? []
  const title = draw('title', {})
  title.textContent = label
  return draw(
    'svg',
    { class: 'sparkline', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label },
    title,
    draw('polyline', { points: points.map((point) => point.join(',')).join(' ') }),
    draw('circle', { cx: x, cy: y, r: 2.5 }),
  )
}
