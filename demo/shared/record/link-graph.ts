/**
 * Draws a record in the middle and its linked records around it; thicker lines are stronger links. A numbered list gives
 * the names and opens each record, also by keyboard.
 */
import type { Link } from 'scrubjay'
import { draw, hidden, make } from '../dom.ts'

export interface Linked extends Link {
  readonly title: string
  /** Links to other records of the list. */
  readonly others: readonly Link[]
}

const width = 260
const height = 180
const radius = 11

/** `show` is called with the id of a linked record. */
export function linkGraph(linked: readonly Linked[], show: (id: string) => void): HTMLElement {
  return make(
    'div',
    { class: 'life-part' },
    make('h4', { id: 'links-heading' }, 'Linked to'),
    ...(linked.length === 0
      ? [make('p', { class: 'quiet' }, 'No links yet. Records that are used together become linked.')]
      : [drawing(linked), names(linked, show)]),
  )
}

function drawing(linked: readonly Linked[]): Element {
  const middle = [width / 2, height / 2] as const
  const points = linked.map((_, i) => pointOf(i, linked.length))
  const among = linked.flatMap(({ others }, i) =>
    others.flatMap(({ id, weight }) => {
      const j = linked.findIndex((one) => one.id === id)
      return j > i ? [edge(points[i] ?? middle, points[j] ?? middle, weight)] : []
    }),
  )
  const label = `The record and ${linked.length} linked records: ${linked.map(({ title, weight }) => `${title} ${weight.toFixed(2)}`).join(', ')}`
  return draw(
    'svg',
    { class: 'link-graph', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
    ...among,
    ...points.map((point, i) => edge(middle, point, linked[i]?.weight ?? 0)),
    draw('circle', { class: 'middle', cx: middle[0], cy: middle[1], r: radius - 2 }),
    ...points.flatMap((point, i) => node(point, String(i + 1))),
  )
}

/** The first record is at the top, the others follow clockwise. */
function pointOf(index: number, count: number): readonly [number, number] {
  const turn = (2 * Math.PI * index) / count - Math.PI / 2
  return [
    width / 2 + (width / 2 - radius - 2) * Math.cos(turn),
    height / 2 + (height / 2 - radius - 2) * Math.sin(turn),
  ]
}

function edge([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number], weight: number): Element {
  return draw('line', { x1, y1, x2, y2, 'stroke-width': 1 + 5 * weight })
}

function node([cx, cy]: readonly [number, number], text: string): readonly Element[] {
  const label = draw('text', { x: cx, y: cy + 4, 'text-anchor': 'middle' })
  label.textContent = text
  return [draw('circle', { cx, cy, r: radius }), label]
}

function names(linked: readonly Linked[], show: (id: string) => void): HTMLElement {
  return make(
    'ol',
    { class: 'link-names', 'aria-labelledby': 'links-heading' },
    ...linked.map(({ id, title, weight }) => {
      const go = make('button', { type: 'button', class: 'link-name', title: id }, title)
      go.addEventListener('click', () => show(id))
      return make('li', {}, go, make('span', { class: 'figure' }, hidden('weight '), weight.toFixed(2)))
    }),
  )
}
