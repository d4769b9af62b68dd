/**
 * Draws line plots as SVG, for the documents: panels in a row, each with its own axes, on light and dark pages alike.
 * A point that is null breaks its line; `marks` are points without a line.
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

const width = 380
const height = 250
const inset = { left: 52, right: 14, top: 30, bottom: 42 }
const legendLine = 16

export function plotSvg(title: string, panels: readonly Panel[]): string {
  const names = [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))]
  const legendHeight = Math.ceil(names.length / 2) * legendLine + 10
  const all = `${panels.length * width} ${height + legendHeight}`
  const drawn = panels.map((panel, i) => `<g transform="translate(${i * width} 0)">${drawPanel(panel, names)}</g>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${all}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>
  svg { background: #fff; color: #24292f; font: 12px system-ui, sans-serif }
  text { fill: currentColor } .title { font-weight: 600; font-size: 13px }
  .grid { stroke: currentColor; stroke-opacity: .15 } .line { fill: none; stroke-width: 2 }
${names.map((_, i) => `  .s${i} { stroke: ${colours[i % colours.length]?.[0]}; fill: ${colours[i % colours.length]?.[0]} }`).join('\n')}
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; color: #e6edf3 }
${names.map((_, i) => `    .s${i} { stroke: ${colours[i % colours.length]?.[1]}; fill: ${colours[i % colours.length]?.[1]} }`).join('\n')}
  }
  .line { fill: none } .label { stroke: none; fill: currentColor }
</style>
${drawn.join('\n')}
${legend(names)}
</svg>
`
}

/** On white, and on black: distinguishable with red-green colour blindness. */
const colours: readonly (readonly [string, string])[] = [
  ['#0b6bcb', '#58a6ff'],
  ['#c4432b', '#ff8e75'],
  ['#6f7782', '#9aa4b0'],
  ['#8a5fbf', '#c297ff'],
  ['#b8860b', '#e3b341'],
  ['#0f8577', '#4ac2b0'],
  ['#c2388f', '#ff7ac6'],
  ['#5d7a1f', '#a9cf5a'],
  ['#8c5a2b', '#d9a273'],
  ['#1b3f8b', '#9db4ff'],
  ['#7d1d3f', '#f28cab'],
  ['#3a9fd8', '#b8e2ff'],
  ['#4a4a4a', '#e0e0e0'],
  ['#a88fd0', '#7f5fd6'],
]

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
  const lines = series.map((one) => drawSeries(one, names.indexOf(one.name), across, down))
  return `<text class="title" x="${inset.left}" y="18">${escaped(title)}</text>
${rows.join('')}${columns.join('')}
<text x="${(width + inset.left) / 2}" y="${height - 8}" text-anchor="middle">${escaped(x.label)}</text>
<text transform="translate(13 ${height / 2 - 6}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text>
${lines.join('\n')}`
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

function legend(names: readonly string[]): string {
  return names
    .map((name, i) => {
      const x = inset.left + (i % 2) * 200
      const y = height + 8 + Math.floor(i / 2) * legendLine
      return `<rect class="s${i}" x="${x}" y="${y - 4}" width="14" height="4"/><text class="label" x="${x + 20}" y="${y + 2}">${escaped(name)}</text>`
    })
    .join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
