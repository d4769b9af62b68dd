/**
 * Writes the tables of pages and of data files (docs/data). Below each table a line names the command that prints it and the commit that it measured; the writer finds the
 * table by that line, so a page shows what the command printed and nothing else.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataOfMarkdown, markdownOfData } from '../../../site/content/data-tables.ts'

const root = join(import.meta.dirname, '../../..')

export interface Measured {
  /** Short hash of the last commit that changed more than pages. */
  readonly commit: string
  /** Of the measurement: `2026-11-27`. */
  readonly date: string
}

export interface PageTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Of the line below the table; null without such a line. */
  readonly source: (Measured & { readonly command: string }) | null
}

/** What a run measures now. Throws while files other than pages are changed, because no commit names their state. */
export function measuredNow(): Measured {
  const code = ['--', '.', ':!docs', ':!*.md']
  const changed = git('status', '--porcelain', ...code)
  if (changed !== '') throw new Error(`Tables name a commit. Commit these files first:\n${changed}`)
  return { commit: git('log', '-1', '--format=%h', ...code), date: new Date().toISOString().slice(0, 10) }
}

/** Replaces the tables of `command` in a file; `printed` is Markdown with as many tables. `note` follows the date: `, on 2 cores. …` */
export function writeTables(page: string, command: string, printed: string, measured: Measured, note = '.'): void {
  const written = withTables(readPage(page), command, printed, measured, note)
  writeFileSync(join(root, page), isData(page) ? dataOfMarkdown(written) : written)
}

/** Whether the page has the tables of the command as this commit prints them. Throws when it has no place for them. */
export function isWritten(page: string, command: string, { commit }: Measured): boolean {
  const own = tablesIn(readPage(page)).filter(({ source }) => source?.command === command)
  if (own.length === 0) throw new Error(`${page} has no table with the line “Printed by \`${command}\`” below.`)
  return own.every(({ source }) => source?.commit === commit)
}

/** The Markdown of a page, or that of a data file. */
export function readPage(page: string): string {
  const text = readFileSync(join(root, page), 'utf8')
  return isData(page) ? markdownOfData(text) : text
}

export function withTables(text: string, command: string, printed: string, measured: Measured, note = '.'): string {
  const tables = blocksOf(printed).filter(isTable)
  const blocks = blocksOf(text)
  const places = blocks.flatMap((block, i) => (sourceOf(block)?.command === command ? [i] : []))
  if (tables.length === 0 || places.length !== tables.length)
    throw new Error(`The page has ${places.length} tables of \`${command}\`, which printed ${tables.length}.`)
  for (const [k, at] of places.entries()) {
    if (!isTable(blocks[at - 1] ?? '')) throw new Error(`No table is above “${blocks[at]}”.`)
    blocks[at - 1] = aligned(tables[k]!)
    blocks[at] = `Printed by \`${command}\` at commit \`${measured.commit}\`, ${measured.date}${note}`
  }
  return `${blocks.join('\n\n')}\n`
}

/** Every table of a page. */
export function tablesIn(text: string): readonly PageTable[] {
  const blocks = blocksOf(text)
  return blocks.flatMap((block, i) => {
    if (!isTable(block)) return []
    const [head = [], , ...rows] = cellsOf(block)
    return [{ head, rows, source: sourceOf(blocks[i + 1] ?? '') }]
  })
}

const isData = (page: string) => page.endsWith('.tsv')

function sourceOf(block: string): PageTable['source'] {
  const found = /^Printed by `([^`]+)` at commit `([0-9a-f]{7,40})`, (\d{4}-\d\d-\d\d)[.,]/.exec(block)
  return found === null ? null : { command: found[1]!, commit: found[2]!, date: found[3]! }
}

/** The same table with columns of equal width, as the formatter of the pages has it. */
function aligned(table: string): string {
  const [head = [], rule = [], ...rows] = cellsOf(table)
  const widths = head.map((cell, c) =>
    Math.max(3, ...[cell, ...rows.map((row) => row[c] ?? '')].map((each) => each.length)),
  )
  const isRight = rule.map((cell) => cell.endsWith(':'))
  const pad = (cell: string, c: number) => (isRight[c] ? cell.padStart(widths[c]!) : cell.padEnd(widths[c]!))
  const line = (cells: readonly string[]) => `| ${head.map((_, c) => pad(cells[c] ?? '', c)).join(' | ')} |`
  const dashes = widths.map((width, c) => (isRight[c] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  return [line(head), line(dashes), ...rows.map(line)].join('\n')
}

function cellsOf(table: string): string[][] {
  return table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

function isTable(block: string): boolean {
  return /^\|.*\|\n\|[-:| ]+\|(\n|$)/.test(block)
}

function blocksOf(text: string): string[] {
  return text.trimEnd().split(/\n{2,}/)
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}
