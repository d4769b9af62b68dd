/**
 * Turns a text into records: JSONL by line, Markdown by heading, other text in chunks cut at empty lines. Ids consist of the
 * file's path and the position in it. So importing a file again updates its records, and files of the same name in other
 * folders stay separate.
 */
import type { RecordInput } from 'scrubjay'
import { splitMarkdown } from './split-markdown.ts'
import { splitText } from './split-text.ts'

export interface ReadText {
  /** `place` is the position of the record in the text, for messages. */
  readonly records: readonly { readonly record: RecordInput; readonly place: string }[]
  readonly errors: readonly string[]
}

/** `name` is the path of the file, or `pasted`. */
export function readText(name: string, text: string, modifiedMs: number): ReadText {
  if (text.includes('\0')) return { records: [], errors: ['the whole file: must be text.'] }
  if (looksLikeJsonLines(name, text)) return readLines(text)
  const isMarkdown = /\.(md|markdown)$/i.test(name) || /^#{1,6}\s/m.test(text)
  const chunks = isMarkdown ? splitMarkdown(text) : splitText(text)
  const records = chunks.map(({ title, body, place }) => ({
    place,
    record: {
      id: `${name}#${place}`,
      kind: 'note',
      project: 'yours',
      title: title === '' ? name : title,
      ...(body === '' ? {} : { body }),
      // The file's name, or the folder's.
      tags: ['imported', name.split('/', 1)[0] ?? name],
      files: [{ path: name, mtime: modifiedMs }],
      source: 'file',
      createdAt: modifiedMs,
    },
  }))
  return { records, errors: records.length === 0 ? ['the whole text: must not be empty.'] : [] }
}

function looksLikeJsonLines(name: string, text: string): boolean {
  if (/\.(jsonl|ndjson)$/i.test(name)) return true
  return name === 'pasted' && /^\s*\{/.test(text)
}

/** One record per line; the engine checks its fields. */
function readLines(text: string): ReadText {
  const records: { record: RecordInput; place: string }[] = []
  const errors: string[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const place = `line ${index + 1}`
    try {
      records.push({ record: JSON.parse(line), place })
    } catch (error) {
      errors.push(`${place}: must be JSON: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { records, errors }
}
