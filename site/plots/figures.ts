/** Decides which tables of which pages are plotted, and how. A table that is missing or changed its columns stops the build. */
import { escapeHtml, type Tokens } from '../content/markdown.ts'
import { type Panel, panelSvg, type Row, type Series } from './panel.ts'
import { column, numbersOf, type Table, tableAt, tablesBelow } from './table.ts'

interface Figure {
  /** Start of the heading above the table. */
  readonly heading: string
  /** Which table below the heading, from 0. */
  readonly place: number
  readonly caption: string
  readonly draw: (table: Table) => string
}

const figures: Readonly<Record<string, readonly Figure[]>> = {
  'docs/benchmarks.md': [
    {
      heading: 'Ranking quality',
      place: 0,
      caption:
        'nDCG@10 for each set: further right is better. Blue is Scrubjay, grey is the baselines. The figure is the best of Scrubjay.',
      draw: (table) =>
        panels(
          quality(table, 'Words alone, nDCG@10', [
            ['words only', 'ours'],
            ['BM25', 'peer'],
            ['SQLite bm25()', 'peer-2'],
            ['MiniSearch, stems', 'peer-3'],
          ]),
          quality(table, 'Words and meaning, nDCG@10', [
            ['with MiniLM', 'ours'],
            ['built-in embedder', 'ours-2'],
            ['best fixed mix', 'peer'],
          ]),
        ),
    },
    {
      heading: '“Nothing here answers this”',
      place: 0,
      caption:
        'How often the answer is “nothing”, in percent. It should be rare for questions that have an answer (grey), and frequent for questions from another domain (blue).',
      draw: (table) => panels(...table.head.slice(1).map((name) => abstention(table, name))),
    },
    {
      heading: 'Compared with other libraries',
      place: 0,
      caption:
        '10,000 records. Milliseconds until the answer: the dot is the median, the line ends at p95. Further left is faster.',
      draw: (table) => panels(...['words', 'vectors', 'hybrid'].map((name) => times(table, name, '10,000 records'))),
    },
    {
      heading: 'Compared with other libraries',
      place: 1,
      caption: '100,000 records. The dot is the median, the line ends at p95. Further left is faster.',
      draw: (table) => panels(...['words', 'vectors', 'hybrid'].map((name) => times(table, name, '100,000 records'))),
    },
  ],
  'docs/reliability.md': [
    {
      heading: 'Faults',
      place: 0,
      caption:
        'What was done to the store, how often, and what was found. Each bar is ten times as long for ten thousand times as many.',
      draw: faults,
    },
  ],
}

/** Markup by the token in front of which it belongs. */
export function figuresOf(file: string, tokens: Tokens): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const { heading, place, caption, draw } of figures[file] ?? []) {
    const at = tablesBelow(tokens, heading)[place]
    if (at === undefined) throw new Error(`${file} has no table ${place + 1} below “${heading}”, which the site plots.`)
    found.set(
      at,
      `<figure class="plot">${draw(tableAt(tokens, at))}<figcaption>${escapeHtml(caption)}</figcaption></figure>\n`,
    )
  }
  return found
}

function panels(...drawn: readonly Panel[]): string {
  return `<div class="panels">${drawn.map(panelSvg).join('\n')}</div>`
}

/** Rows without a figure in the column are left out; all others are shown. */
function times(table: Table, name: string, size: string): Panel {
  const at = column(table, name)
  const rows = table.rows.flatMap((cells): Row[] => {
    const [p50, p95] = numbersOf(cells[at])
    if (p50 === undefined || p95 === undefined) return []
    const system = (cells[0] ?? '').replace(/ \d+\.\d+\.\d+/, '').replace('stop words out', 'no stop words')
    return [
      {
        name: shortened(system),
        isOurs: system === 'Scrubjay',
        marks: [{ at: p50, to: p95 }],
        label: cells[at] ?? '',
      },
    ]
  })
  const values = rows.flatMap(({ marks }) => marks.flatMap((mark) => [mark!.at, mark!.to!]))
  return {
    title: `${capital(name)}, ms, ${size}`,
    scale: 'log',
    ticks: decades(values),
    series: [{ name: '', look: 'peer' }],
    rows: rows.toSorted((a, b) => a.marks[0]!.at - b.marks[0]!.at),
  }
}

function quality(table: Table, title: string, shown: readonly (readonly [string, Series['look']])[]): Panel {
  const series = shown.map(([name, look]) => ({ name, look }))
  const rows = table.rows.flatMap((cells): Row[] => {
    const marks = series.map(({ name }) => {
      const [ndcg] = numbersOf(cells[column(table, name)])
      return ndcg === undefined ? null : { at: ndcg }
    })
    const own = marks.flatMap((mark, i) => (mark !== null && series[i]!.look.startsWith('ours') ? [mark.at] : []))
    if (own.length === 0) return []
    return [{ name: shortened(cells[0] ?? ''), marks, label: fraction(Math.max(...own)) }]
  })
  return { title, scale: 'linear', ticks: [0.2, 0.4, 0.6, 0.8, 1], series, rows }
}

function abstention(table: Table, name: string): Panel {
  const at = column(table, name)
  const rows = table.rows.flatMap((cells): Row[] => {
    const [has, removed, other] = numbersOf(cells[at])
    if (has === undefined || removed === undefined || other === undefined) return []
    return [
      {
        name: shortened(cells[0] ?? ''),
        marks: [has, removed, other].map((value) => ({ at: value })),
        label: cells[at] ?? '',
      },
    ]
  })
  return {
    title: `“Nothing”, ${name}, %`,
    scale: 'linear',
    ticks: [0, 50, 100],
    series: [
      { name: 'has an answer', look: 'peer' },
      { name: 'answer removed', look: 'peer-2' },
      { name: 'other domain', look: 'ours' },
    ],
    rows,
  }
}

/** A list with bars: the names are sentences, which a browser can wrap and SVG cannot. */
function faults(table: Table): string {
  const [what, size, found] = ['what happens', 'size', 'found'].map((name) => column(table, name))
  const rows = table.rows.map((cells) => {
    const trials = numbersOf(cells[size!])[0] ?? 1
    const length = Math.round(Math.min(100, (Math.log10(trials) / 4) * 100))
    return `<li><span class="fault">${escapeHtml(capital(cells[what!]!))}</span><span class="trials"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${length}" height="8"/></svg><b>${escapeHtml(cells[size!]!)}</b></span><span class="found">${escapeHtml(cells[found!]!)}</span></li>`
  })
  return `<ol class="faults">${rows.join('\n')}</ol>`
}

/** A logarithmic axis of whole powers of ten around the values. */
function decades(values: readonly number[]): readonly number[] {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.ceil(Math.log10(Math.max(...values)))
  return Array.from({ length: high - low + 1 }, (_, i) => Number(`1e${low + i}`))
}

/** Names longer than their column, in a form that fits. */
function shortened(name: string): string {
  return name.replace(', no stop words', ', no stops').replace('PGlite + pgvector (graph)', 'PGlite, pgvector')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function fraction(value: number): string {
  return value.toFixed(3).replace(/^0/, '')
}
