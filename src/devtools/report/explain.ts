/** An answer in words and numbers, for a console, a log or a page. */
import type { RecallResult } from '../../core/model/result.ts'
import { escapeLine } from '../../core/present/escape.ts'
import { type Table, type TableOptions, tablesOf } from './tables.ts'

export interface ExplainOptions extends TableOptions {
  /** `text` is aligned by spaces; `html` is tables without styles or scripts. Default `text`. */
  readonly format?: 'text' | 'html' | undefined
}

/**
 * What was found, what each score is made of, what the plan did and what was left out. Whatever stands in ids and reasons,
 * as `html` it stays text, and no character goes unseen or turns the line around.
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

/** Hidden characters as references; what only HTML minds stays as it is. */
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
