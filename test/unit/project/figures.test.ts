/** Tests that the figures of the pages come from one measurement: each table names its commit, and tables agree on the cells that they share. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dataOfMarkdown, markdownOfData, withDataTables } from '../../../site/content/data-tables.ts'
import { efs } from '../../bench/page/peer-table.ts'
import { recallAt } from '../../bench/tables/page-parts.ts'
import { withFigures } from '../../bench/tables/readme-rows.ts'
import { type PageTable, readPage, tablesIn, withTables } from '../../support/pages/page-tables.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')
const data = readdirSync(join(import.meta.dirname, '../../../docs/data')).map((name) => `docs/data/${name}`)
const pages = ['docs/benchmarks.md', 'docs/quality.md', ...data]
const tables = pages.flatMap((page) => tablesIn(readPage(page)))

describe('tables of figures', () => {
  test.each(pages)('each table of %s names its command and commit', (page) => {
    const own = tablesIn(readPage(page))
    if (page !== 'docs/quality.md') expect(own.length).toBeGreaterThan(0)
    expect(own.filter(({ source }) => source === null).map(({ head }) => head.join(' | '))).toEqual([])
  })

  test('control: a table without the line, or with a line of another form, has no commit', () => {
    const table = '| a |\n| - |\n| 1 |'
    const line = 'Printed by `npm run quality a` at commit `0123abc`, 2026-11-27'
    const sourceOf = (text: string) => tablesIn(text).map(({ source }) => source?.commit ?? null)
    expect(sourceOf(`${table}\n\n${line}.\n\n${table}\n\nText.`)).toEqual(['0123abc', null])
    expect(sourceOf(`${table}\n\n${line.replace('0123abc', 'now')}.`)).toEqual([null])
  })

  test('a data file is read and written without a change', () => {
    expect(data.length).toBeGreaterThan(8)
    for (const page of data) expect(dataOfMarkdown(readPage(page)), page).toBe(read(page))
  })

  test('each data file is named by a page, whose site shows it', () => {
    const shown = ['docs/benchmarks.md', 'docs/quality.md'].map((page) => withDataTables(read(page))).join('\n')
    for (const page of data) expect(shown, page).toContain(markdownOfData(read(page)))
  })

  test('tables agree on the cells that they share', () => {
    const cells = sharedCells(tables)
    expect(cells.filter((cell) => cell.values.length > 1).length).toBeGreaterThan(30)
    expect(cells.filter(differs)).toEqual([])
  })

  test('control: a cell of another day is found', () => {
    const changed = tables.map((table) => {
      if (table.source?.command !== 'npm run quality versus') return table
      const rows = table.rows.map((row) => row.map((cell) => (cell === row[3] ? '.123' : cell)))
      return { ...table, rows }
    })
    expect(sharedCells(changed).filter(differs).length).toBeGreaterThan(10)
  })

  test('the README has the figures of the benchmarks', () => {
    const readme = read('README.md')
    const answers = readPage('docs/data/answers.tsv')
    expect(withFigures(readme, read('docs/benchmarks.md'), answers)).toBe(readme)
    // Control: another figure is noticed.
    const other = read('docs/benchmarks.md').replace(/^(\| locomo-texts.*?\| \.)\d+/m, '$1999')
    expect(withFigures(readme, other, answers)).toContain('.999')
  })
})

describe('the writer of tables', () => {
  const measured = { commit: '0123abc', date: '2026-11-27' }
  const page =
    '# Page\n\n| a |\n| - |\n| 1 |\n\nPrinted by `npm run x` at commit `9999999`, 2020-01-01.\n\nText.\n\n| b |\n| - |\n| 1 |\n'

  test('replaces the table above the line of its command, aligned, and nothing else', () => {
    expect(withTables(page, 'npm run x', '| a | b |\n|---|---:|\n| one | 20.5 |', measured, ', on 2 cores.')).toBe(
      '# Page\n\n| a   |    b |\n| --- | ---: |\n| one | 20.5 |\n\nPrinted by `npm run x` at commit `0123abc`, 2026-11-27, on 2 cores.\n\nText.\n\n| b |\n| - |\n| 1 |\n',
    )
  })

  test('refuses a command without a place, and another number of tables', () => {
    const table = '| a |\n|---|\n| 2 |'
    expect(() => withTables(page, 'npm run y', table, measured)).toThrow('has 0 tables')
    expect(() => withTables(page, 'npm run x', `${table}\n\n${table}`, measured)).toThrow('printed 2')
  })
})

describe('recall of a graph in the time of another search', () => {
  const rows = efs.map((ef, i) => ({
    contender: 'graph',
    mode: 'vector' as const,
    scope: null,
    pass: 'warm' as const,
    ef,
    questions: 1,
    worker: { p50: i + 1, p95: i + 1 },
    page: { p50: 0, p95: 0 },
    transport: { p50: 0, p95: 0 },
    recall10: 0.8 + i / 20,
  }))

  test('is on the line between the nearest values of ef, and bounded outside them', () => {
    expect([1, 2.5, 0.5, 9].map((ms) => recallAt(ms, rows))).toEqual([
      '.800',
      '.875',
      'less than .800',
      'at least .950',
    ])
  })
})

interface Cell {
  readonly key: string
  readonly values: readonly (readonly [command: string, value: number])[]
}

/** nDCG@10 of the same questions of a set in the same mode, wherever a table has it. */
function sharedCells(all: readonly PageTable[]): readonly Cell[] {
  const found = new Map<string, (readonly [string, number])[]>()
  const add = (command: string, set: string, questions: string, mode: string, cell: string) => {
    const value = Number(cell.split(' / ')[0])
    if (cell === '–' || Number.isNaN(value)) return
    const key = `${set}, ${questions.replace(',', '')} questions, ${modeNames[mode] ?? mode}`
    found.set(key, [...(found.get(key) ?? []), [command, value]])
  }
  for (const { source, head, rows } of all) {
    const command = source?.command.split(' ').at(-1) ?? ''
    for (const row of rows) {
      const [set = '', second = '', third = ''] = row
      if (command === 'ranking')
        for (const [c, mode] of head.entries()) if (c > 1) add(command, set, second, mode, row[c]!)
      if (command === 'versus') {
        const own = third.replace('hybrid ', '')
        add(command, set, second, third, row[3]!)
        const isPart = row[4] === 'its words' || row[4] === 'BM25'
        if (isPart) add(command, set, second, row[4] === 'BM25' ? 'BM25' : 'words', row[5]!)
        else add(command, set, second, `${own}, ${row[4]}`, row[5]!)
      }
      if (command === 'dated') add(command, set, third.split(' of ').at(-1)!, second, row.at(-1)!)
      if (command === 'typos') add(command, set, second, 'words', row[2]!)
    }
  }
  return [...found].map(([key, values]) => ({ key, values }))
}

const modeNames: Readonly<Record<string, string>> = {
  'words only': 'words',
  'with MiniLM': 'hybrid MiniLM',
  'built-in embedder': 'hybrid built-in',
}

/** By more than rounding to three digits explains. */
function differs({ values }: Cell): boolean {
  const all = values.map(([, value]) => value)
  return Math.max(...all) - Math.min(...all) > 0.00101
}
