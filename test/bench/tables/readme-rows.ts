/** The rows with figures in the table “Compared with others” of the README, taken from the tables of `docs/benchmarks.md` and `docs/data/answers.tsv`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PageTable, readPage, tablesIn } from '../../support/pages/page-tables.ts'

const root = join(import.meta.dirname, '../../..')

/** Writes the README's rows after a table of the page changed. */
export function writeReadme(): void {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  writeFileSync(
    join(root, 'README.md'),
    withFigures(readme, readPage('docs/benchmarks.md'), readPage('docs/data/answers.tsv')),
  )
}

/** `page` is `docs/benchmarks.md`, `peers` the table of answers of other libraries. Throws when a table, a row or a column is missing. */
export function withFigures(readme: string, page: string, peers: string): string {
  const tables = tablesIn(`${page}\n\n${peers}`)
  const ranking = tableOf(tables, 'npm run quality ranking')
  const answers = tableOf(tables, 'npm run bench write answers')
  const [words, hybrid] = [columnOf(answers, ': words'), columnOf(answers, ': hybrid')]
  const [orama, miniSearch] = ['Orama, best', 'MiniSearch, stemmed, too']
  const ms = (size: number) => {
    const table = tableOf(tables, `npm run bench write peers-${size}`)
    return ['Scrubjay', orama, miniSearch].map((name) => both(table, name, 'words', 'hybrid'))
  }
  const rows: readonly (readonly [string, readonly string[]])[] = [
    [
      'nDCG@10, LoCoMo: words · hybrid',
      [
        both(ranking, 'locomo-texts', 'words only', 'with MiniLM'),
        both(answers, orama, words, hybrid),
        both(answers, miniSearch, words, hybrid),
      ],
    ],
    ['… with the order and dates of turns', [both(ranking, 'locomo', 'words only', 'with MiniLM'), '–', '–']],
    ['ms, 10,000 records: words · hybrid', ms(10_000)],
    ['ms, 100,000 records: words · hybrid', ms(100_000)],
  ]
  const lines = readme.split('\n')
  for (const [name, cells] of rows) {
    const at = lines.findIndex((line) => line.startsWith(`| ${name} `))
    if (at === -1) throw new Error(`README.md has no row “${name}”.`)
    const widths = lines[at]!.split('|')
      .slice(1, -1)
      .map((cell) => cell.length - 2)
    lines[at] = `| ${[name, ...cells].map((cell, c) => cell.padEnd(widths[c]!)).join(' | ')} |`
  }
  return lines.join('\n')
}

function tableOf(tables: readonly PageTable[], command: string): PageTable {
  const table = tables.find(({ source }) => source?.command === command)
  if (table === undefined) throw new Error(`No page has a table of \`${command}\`.`)
  return table
}

/** The name of the first column that ends so. */
function columnOf({ head }: PageTable, end: string): string {
  const name = head.find((each) => each.endsWith(end))
  if (name === undefined) throw new Error(`No column ends with “${end}”.`)
  return name
}

/** The first number of each of two cells. */
function both({ head, rows }: PageTable, row: string, ...columns: readonly [string, string]): string {
  const cells = rows.find(([name]) => name === row)
  if (cells === undefined) throw new Error(`No row “${row}”.`)
  return columns
    .map((column) => {
      if (!head.includes(column)) throw new Error(`No column “${column}”.`)
      return cells[head.indexOf(column)]!.split(' / ')[0]!
    })
    .join(' · ')
}
