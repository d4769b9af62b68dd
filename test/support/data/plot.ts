/**
 * Draws line plots as SVG, for the documents: panels, two in a row, each with its own axes, on light and dark pages alike. The name
 * of a line is at its end. If one of the names begins with `Scrubjay`, the others are grey. A point that is null breaks its
 * line; `marks` are points without a line.
 */

export interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number | null])[]
  readonly marks?: boolean
  readonly dashed?: boolean
}

export interface Panel {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Series[]
}

export interface Axis {
  readonly label: string
  readonly ticks: readonly number[]
  readonly scale?: 'linear' | 'log'
  /** Small numbers on top, as for ranks. */
  readonly reversed?: boolean
}

const width = 450
const height = 300
// On the right: the names of the lines.
const inset = { left: 52, right: 182, top: 30, bottom: 42 }
const perRow = 2
/** Lowest distance of two names. */
const nameHeight = 14

export function plotSvg(title: string, panels: readonly Panel[]): string {
  const names = [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))]
  const columns = Math.min(perRow, panels.length)
  const all = `${columns * width} ${Math.ceil(panels.length / perRow) * height}`
  const drawn = panels.map(
    (panel, i) =>
      `<g transform="translate(${(i % perRow) * width} ${Math.floor(i / perRow) * height})">${drawPanel(panel, names)}</g>`,
  )
  const chosen = coloursOf(names)
  const rules = (shade: 0 | 1) =>
    chosen.map((pair, i) => `.s${i} { stroke: ${pair[shade]}; fill: ${pair[shade]} }`).join('\n    ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${all}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>
  svg { background: #fff; color: #24292f; font: 12px system-ui, sans-serif }
  text { fill: currentColor } .title { font-weight: 600; font-size: 13px }
  .grid { stroke: currentColor; stroke-opacity: .15 }
    ${rules(0)}
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; color: #e6edf3 }
    ${rules(1)}
  }
  .line { fill: none; stroke-width: 2 } .name { stroke: none } .lead { stroke-width: 1; stroke-dasharray: 1 3; fill: none }
</style>
${drawn.join('\n')}
</svg>
`
}

type Colour = readonly [onWhite: string, onBlack: string]

/** Distinguishable with red-green colour blindness. */
const colours: readonly Colour[] = [
  ['#0b6bcb', '#58a6ff'],
  ['#c4432b', '#ff8e75'],
  ['#6f7782', '#9aa4b0'],
  ['#8a5fbf', '#c297ff'],
  ['#8a6508', '#e3b341'],
  ['#0f8577', '#4ac2b0'],
]
const ours: readonly Colour[] = [
  ['#0b6bcb', '#58a6ff'],
  ['#4f97de', '#2f7fd8'],
]
const grey: Colour = ['#6f7782', '#9aa4b0']

function coloursOf(names: readonly string[]): readonly Colour[] {
  const own = names.filter(isOurs)
  if (own.length === 0) return names.map((_, i) => colours[i % colours.length]!)
  return names.map((name) => (isOurs(name) ? ours[own.indexOf(name) % ours.length]! : grey))
}

function isOurs(name: string): boolean {
  return name.startsWith('Scrubjay')
}

function drawPanel({ title, x, y, series }: Panel, names: readonly string[]): string {
  const across = placer(x, inset.left, width - inset.right)
  const down = y.reversed ? placer(y, inset.top, height - inset.bottom) : placer(y, height - inset.bottom, inset.top)
  const rows = y.ticks.map(
    (tick) =>
      `<line class="grid" x1="${inset.left}" x2="${width - inset.right}" y1="${down(tick)}" y2="${down(tick)}"/><text x="${inset.left - 6}" y="${down(tick) + 4}" text-anchor="end">${shortly(tick)}</text>`,
  )
  const columns = x.ticks.map(
    (tick) =>
      `<text x="${across(tick)}" y="${height - inset.bottom + 16}" text-anchor="middle">${shortly(tick)}</text>`,
  )
  // Scrubjay last, so that its lines are on top.
  const inOrder = series.toSorted((a, b) => Number(isOurs(a.name)) - Number(isOurs(b.name)))
  const lines = inOrder.map((one) => drawSeries(one, names.indexOf(one.name), across, down))
  return `<text class="title" x="${inset.left}" y="18">${escaped(title)}</text>
${rows.join('')}${columns.join('')}
<text x="${(width + inset.left) / 2}" y="${height - 8}" text-anchor="middle">${escaped(x.label)}</text>
<text transform="translate(13 ${height / 2 - 6}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text>
${lines.join('\n')}
${drawNames(series, names, across, down)}`
}

interface Label {
  readonly name: string
  readonly from: readonly [x: number, y: number]
  y: number
}

/** The name of each line next to its last point, moved apart where names would overlap, with a thin line from point to name. */
function drawNames(series: readonly Series[], names: readonly string[], across: Placer, down: Placer): string {
  const labels = series
    .flatMap(({ name, points }): Label[] => {
      const last = points.findLast((point): point is readonly [number, number] => point[1] !== null)
      return last === undefined ? [] : [{ name, from: [across(last[0]), down(last[1])], y: down(last[1]) }]
    })
    .sort((a, b) => a.y - b.y || (a.name < b.name ? -1 : 1))
  for (const [i, label] of labels.entries()) if (i > 0) label.y = Math.max(label.y, labels[i - 1]!.y + nameHeight)
  // Names that were moved below the panel push the ones above them up.
  let lowest = height - inset.bottom + nameHeight / 2
  for (const label of labels.toReversed()) {
    label.y = Math.min(label.y, lowest)
    lowest = label.y - nameHeight
  }
  const x = width - inset.right + 14
  return labels
    .map(({ name, from, y }) => {
      const index = names.indexOf(name)
      const weight = isOurs(name) ? ' font-weight="600"' : ''
      return `<path class="s${index} lead" d="M${from[0] + 4} ${from[1]}L${x - 4} ${y}"/><text class="s${index} name"${weight} x="${x}" y="${y + 4}">${escaped(name)}</text>`
    })
    .join('')
}

type Placer = (value: number) => number

function placer({ ticks, scale }: Axis, from: number, to: number): Placer {
  const put = (value: number) => (scale === 'log' ? Math.log10(value) : value)
  const low = put(Math.min(...ticks))
  const high = put(Math.max(...ticks))
  return (value) => Math.round((from + ((put(value) - low) / (high - low || 1)) * (to - from)) * 10) / 10
}

/** 10K for 10,000: the last tick is at the panel's edge. */
function shortly(tick: number): string {
  return tick.toLocaleString('en', { notation: 'compact' })
}

function drawSeries({ points, marks, dashed }: Series, index: number, across: Placer, down: Placer): string {
  const known = points.filter((point): point is readonly [number, number] => point[1] !== null)
  if (marks)
    return known.map(([x, y]) => `<circle class="s${index}" cx="${across(x)}" cy="${down(y)}" r="3.5"/>`).join('')
  let path = ''
  let isDrawing = false
  for (const [x, y] of points) {
    if (y !== null) path += `${isDrawing ? 'L' : 'M'}${across(x)} ${down(y)}`
    isDrawing = y !== null
  }
  const dots =
    known.length <= 12
      ? known.map(([x, y]) => `<circle class="s${index}" cx="${across(x)}" cy="${down(y)}" r="2.5"/>`).join('')
      : ''
  return `<path class="s${index} line" d="${path}"${dashed ? ' stroke-dasharray="5 4"' : ''}/>${dots}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
