/** Writes an answer as text or HTML, for a console, a log or a page. */
import type { RecallResult } from '../../core/model/result.ts'
import { escapeLine } from '../../core/present/escape.ts'
import { type Table, type TableOptions, tablesOf } from './tables.ts'

export interface ExplainOptions extends TableOptions {
  /** `text`: tables aligned with spaces. `html`: HTML tables without styles and scripts. Default `text`. */
  readonly format?: 'text' | 'html' | undefined
}

/**
 * Returns the hits with the contributions of each score, the plan, and the ledger. Ids and reasons are escaped: they cannot add HTML, and
 * hidden or direction-changing characters are written as visible text.
 */
export function explain(result: RecallResult, options: ExplainOptions = {}): string {
  const tables = tablesOf(result, options)
  return options.format === 'html' ? tables.map(asHtml).join('\n') : `${tables.map(asText).join('\n\n')}\n`
}

function asText({ caption, columns, rows }: Table): string {
  if (rows.length === 0) return visible(caption)
  const lines = [columns.map(({ name }) => name), ...rows].map((line) => line.map(visible))
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => widthOf(line[i] ?? ''))))
  const aligned = lines.map((line) =>
    line
      .map((cell, i) => {
        const fill = ' '.repeat(widths[i]! - widthOf(cell))
        return columns[i]?.isNumber ? fill + cell : cell + fill
      })
      .join('  ')
      .trimEnd(),
  )
  return [visible(caption), ...aligned].join('\n')
}

/** Writes hidden characters as references. Characters that are special only in HTML stay unchanged. */
function visible(text: string): string {
  return escapeLine(text).replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function widthOf(text: string): number {
  return Array.from(text).length
}

function asHtml({ caption, columns, rows }: Table): string {
  const head = columns.map(({ name }) => `<th scope="col">${safe(name)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${safe(cell)}</td>`).join('')}</tr>`).join('\n')
  return `<table>\n<caption>${safe(caption)}</caption>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table>`
}

function safe(text: string): string {
  return escapeLine(text).replaceAll('"', '&quot;').replaceAll("'", '&#x27;')
}
