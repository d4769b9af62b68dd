/** Reads tables out of parsed Markdown, so that plots show the figures of the page and no others. */
import { headingsOf, plainText, type Tokens } from '../content/markdown.ts'

export interface Table {
  readonly head: readonly string[]
  /** Cells as plain text, by row. */
  readonly rows: readonly (readonly string[])[]
}

/** The tokens at which tables begin whose nearest heading begins with this text. Quotation marks do not count. */
export function tablesBelow(tokens: Tokens, heading: string): readonly number[] {
  const headings = headingsOf(tokens)
  let count = 0
  return tokens.flatMap(({ type }, i) => {
    if (type === 'heading_open') count++
    if (type !== 'table_open') return []
    return plain(headings[count - 1]?.text ?? '').startsWith(plain(heading)) ? [i] : []
  })
}

function plain(text: string): string {
  return text.replaceAll(/[“”"]/g, '')
}

/** The table that begins at this token. */
export function tableAt(tokens: Tokens, start: number): Table {
  const end = tokens.findIndex(({ type }, i) => i > start && type === 'table_close')
  const rows: string[][] = []
  for (let i = start; i < end; i++) {
    const { type } = tokens[i]!
    if (type === 'tr_open') rows.push([])
    if (type === 'th_open' || type === 'td_open') rows.at(-1)!.push(plainText(tokens[i + 1]!))
  }
  const [head = [], ...body] = rows
  return { head, rows: body }
}

/** The column whose head is this text. Throws: a plot must not silently lose a column that the page renamed. */
export function column({ head }: Table, name: string): number {
  const i = head.indexOf(name)
  if (i === -1) throw new Error(`The table has no column “${name}”, only: ${head.join(', ')}.`)
  return i
}

/** The numbers of a cell: `.8 / 1.4` → [0.8, 1.4], `–` → []. */
export function numbersOf(cell: string | undefined): readonly number[] {
  return [...(cell ?? '').matchAll(/\d[\d,]*(?:\.\d+)?|\.\d+/g)].map(([text]) => Number(text.replaceAll(',', '')))
}
