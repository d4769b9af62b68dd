/** Reads tables: CSV and TSV with a first line of names, JSON Lines, and lists in JSON. */
import type papaparse from 'papaparse'
import { jsonParts } from '../files/json-parts.ts'
import { jsonLinesOf } from '../files/json-lines.ts'
import { left, type Reader } from '../reading/reader.ts'
import { rowPart } from './rows.ts'
import { tables } from '../reading/parsers.ts'

export const jsonLines: Reader = {
  kind: 'json-lines',
  recognises: ({ extension, text }) => {
    if (/^(?:jsonl|ndjson)$/.test(extension)) return true
    const [first = '', second] = text.trimStart().split('\n', 2)
    // One object alone is more often the settings of a program.
    return first.startsWith('{') && isJson(first) && (second ?? '').trimStart().startsWith('{')
  },
  async *read({ file, texts }, context) {
    const taken = new Map<string, number>()
    for await (const { place, value, problem } of jsonLinesOf(texts()))
      yield problem === null ? rowPart(value, place, file, context, taken) : left('damaged', place, problem)
  },
}

export const jsonList: Reader = {
  kind: 'json',
  recognises: ({ text }) => /^\s*\[\s*[{\]]/.test(text) || /^\s*\{\s*"[\w .-]{1,60}"\s*:\s*\[\s*\{/.test(text),
  async *read({ file, texts }, context) {
    const taken = new Map<string, number>()
    for await (const { key, index, value, problem } of jsonParts(texts())) {
      const place = index === null ? key : `${key ?? 'entry'} ${index + 1}`
      if (problem !== null) yield left('damaged', place, problem)
      else if (index === null) yield left('unknown', place, 'must be a list')
      else yield rowPart(value, place!, file, context, taken)
    }
  },
}

export const csv: Reader = {
  kind: 'csv',
  recognises: ({ extension, text }) => /^(?:csv|tsv)$/.test(extension) || isTable(text),
  async *read({ file, sample, texts }, context) {
    const { default: papa } = await tables()
    const taken = new Map<string, number>()
    const first = sample.text.replace(/^\uFEFF/, '')
    const delimiter =
      sample.extension === 'tsv' ? '\t' : papa.parse(first.slice(0, 10_000), { preview: 10 }).meta.delimiter
    let header: readonly string[] | null = null
    let number = 0
    let rest = ''
    for await (const piece of withEnd(texts())) {
      rest += piece ?? ''
      // The last line may be cut, and so may the line of a quoted field: both stay for the next piece.
      const parsed = papa.parse<string[]>(rest, { delimiter, skipEmptyLines: false })
      const isLast = piece === null
      const problems = new Map(
        parsed.errors.filter(({ type }) => type === 'Quotes').map(({ row, message }) => [row, message]),
      )
      const rows = parsed.data
      let length = rows.length
      if (!isLast) {
        if (rest.length < mostFieldLength && (problems.size > 0 || rows.length < 2)) continue
        length = rows.length - 1
        rest = rest.slice(startOfLast(rest, papa, delimiter, length))
      }
      for (const [i, row] of rows.slice(0, length).entries()) {
        number++
        if (row.every((field) => field.trim() === '')) continue
        const place = `row ${number}`
        if (header === null) {
          header = namesOf(row)
          continue
        }
        const problem = problems.get(i)
        if (problem !== undefined) yield left('damaged', place, problem)
        else if (row.length > header.length && row.slice(header.length).some((field) => field.trim() !== ''))
          yield left('damaged', place, `has ${row.length} fields, and the first row has ${header.length}`)
        else
          yield rowPart(
            Object.fromEntries(header.map((name, column) => [name, row[column] ?? ''])),
            place,
            file,
            context,
            taken,
          )
      }
      if (header === null && isLast) yield left('empty', null, 'holds no row')
    }
  },
}

/** A quote that is never closed would else keep the whole file in memory. */
const mostFieldLength = 4_194_304

/** Where the row with this number begins. */
function startOfLast(
  text: string,
  { parse }: Pick<typeof papaparse, 'parse'>,
  delimiter: string,
  rows: number,
): number {
  return rows === 0 ? 0 : parse(text, { delimiter, preview: rows }).meta.cursor
}

async function* withEnd(texts: AsyncIterable<string>): AsyncIterable<string | null> {
  for await (const text of texts) yield text
  yield null
}

/** Names of the columns; an empty or repeated one gets its number. */
function namesOf(row: readonly string[]): readonly string[] {
  const names: string[] = []
  for (const [i, field] of row.entries()) {
    const name = field.replace(/^\uFEFF/, '').trim()
    names.push(name === '' || names.includes(name) ? `${name === '' ? 'column' : name} ${i + 1}` : name)
  }
  return names
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/** Whether the first lines have the same number of one separator, at least two columns, and no prose. */
function isTable(text: string): boolean {
  const lines = text.slice(0, 8_192).split(/\r?\n/).slice(0, 6)
  if (lines.length < 4) return false
  return [',', '\t', ';'].some((separator) => {
    const counts = lines.slice(0, 4).map((line) => line.split(separator).length)
    return counts[0]! > 2 && counts.every((count) => count === counts[0]) && lines[0]!.length < 400
  })
}
