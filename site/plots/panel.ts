/**
 * Draws one panel of a plot as SVG: a row for each name, with dots and ranges on one axis. Everything is labelled where it is;
 * colours come from the style sheet of the site, so a panel follows light and dark pages.
 */
import { escapeHtml } from '../content/markdown.ts'

export interface Panel {
  readonly title: string
  readonly scale: 'linear' | 'log'
  readonly ticks: readonly number[]
  /** Names of the marks of a row, at most six. One unnamed series needs no labels. */
  readonly series: readonly Series[]
  readonly rows: readonly Row[]
}

export interface Series {
  readonly name: string
  /** `ours` is in the accent colour, `peer` in grey. */
  readonly look: Look
}

export type Look = 'ours' | 'ours-2' | 'ours-3' | 'peer' | 'peer-2' | 'peer-3'

export interface Row {
  readonly name: string
  readonly isOurs?: boolean
  /** One for each series; null: not measured. `to` is the far end of a range. */
  readonly marks: readonly (Mark | null)[]
  /** At the end of the row. */
  readonly label: string
}

export interface Mark {
  readonly at: number
  readonly to?: number
}

/** A phone shows a panel without scaling it down. */
const width = 344
const names = 122
const right = 12
/** Of one character of a label. */
const letter = 6
const rowHeight = 22
const titleHeight = 26
const seriesHeight = 15
const axisHeight = 22

export function panelSvg(panel: Panel): string {
  const { title, rows, series, ticks } = panel
  if (series.length > 6) throw new Error(`A panel has at most six series, got ${series.length}: ${title}`)
  const top = titleHeight + (series.length > 1 ? series.length * seriesHeight + 4 : 0)
  const bottom = top + rows.length * rowHeight
  const place = placer(panel)
  const grid = ticks.map(
    (tick) =>
      `<line class="grid" x1="${place(tick)}" x2="${place(tick)}" y1="${top}" y2="${bottom}"/><text class="tick" x="${place(tick)}" y="${bottom + 15}" text-anchor="middle">${figure(tick)}</text>`,
  )
  const height = bottom + axisHeight
  return `<svg class="panel" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeHtml(spoken(panel))}">
<text class="title" x="0" y="14">${escapeHtml(title)}</text>
${grid.join('')}
${series.length > 1 ? seriesLabels(panel, top, place) : ''}
${rows.map((row, i) => drawRow(row, series, top + (i + 0.5) * rowHeight, place)).join('\n')}
</svg>`
}

/** The whole panel in words, for screen readers. */
function spoken({ title, rows }: Panel): string {
  return `${title}. ${rows.map(({ name, label }) => `${name}: ${label}`).join('; ')}.`
}

type Place = (value: number) => number

function placer({ scale, ticks, rows }: Panel): Place {
  const put = (value: number) => (scale === 'log' ? Math.log10(value) : value)
  const low = put(Math.min(...ticks))
  const high = put(Math.max(...ticks))
  const from = names + 10
  const to = width - letter * Math.max(...rows.map(({ label }) => label.length)) - right
  return (value) => Math.round((from + ((put(value) - low) / (high - low)) * (to - from)) * 10) / 10
}

/**
 * Names above the marks of the first complete row, each with a line down to its mark. All names are on one side of their lines and
 * ordered along the axis, so that no line crosses a name.
 */
function seriesLabels({ rows, series }: Panel, top: number, place: Place): string {
  const first = rows.find(({ marks }) => marks.every((mark) => mark !== null)) ?? rows[0]!
  const y = top + (rows.indexOf(first) + 0.5) * rowHeight
  const named = series.flatMap(({ name, look }, i) => {
    const mark = first.marks[i]
    return mark == null ? [] : [{ name, look, x: place(mark.at) }]
  })
  const mean = named.reduce((sum, { x }) => sum + x, 0) / named.length
  const isLeft = mean > names + (width - names) / 2
  return named
    .toSorted((a, b) => (isLeft ? b.x - a.x : a.x - b.x))
    .map(({ name, look, x }, i) => {
      const line = titleHeight + i * seriesHeight
      return `<line class="leader ${look}" x1="${x}" x2="${x}" y1="${line + 2}" y2="${y}"/><text class="series ${look}" x="${x + (isLeft ? -4 : 4)}" y="${line + 10}" text-anchor="${isLeft ? 'end' : 'start'}">${escapeHtml(name)}</text>`
    })
    .join('')
}

function drawRow(
  { name, isOurs = false, marks, label }: Row,
  series: readonly Series[],
  y: number,
  place: Place,
): string {
  const drawn = marks.map((mark, i) => (mark === null ? '' : drawMark(mark, lookOf(series[i]!, isOurs), y, place)))
  const own = isOurs ? ' own' : ''
  return `<text class="name${own}" x="${names}" y="${y + 4}" text-anchor="end">${escapeHtml(name)}</text>${drawn.join('')}<text class="value${own}" x="${width}" y="${y + 4}" text-anchor="end">${escapeHtml(label)}</text>`
}

function lookOf({ look }: Series, isOurs: boolean): Look {
  return isOurs ? 'ours' : look
}

function drawMark({ at, to }: Mark, look: Look, y: number, place: Place): string {
  const x = place(at)
  const range = to === undefined ? '' : `<line class="range ${look}" x1="${x}" x2="${place(to)}" y1="${y}" y2="${y}"/>`
  // Other shapes besides other colours.
  const shape = look.endsWith('-2')
    ? `<rect class="mark ${look}" x="${x - 4}" y="${y - 4}" width="8" height="8"/>`
    : look.endsWith('-3')
      ? `<path class="mark ${look}" d="M${x} ${y - 5.5}l5 9h-10z"/>`
      : `<circle class="mark ${look}" cx="${x}" cy="${y}" r="4.5"/>`
  return range + shape
}

function figure(tick: number): string {
  return tick.toLocaleString('en', { maximumFractionDigits: 2 }).replace(/^0\./, '.')
}
