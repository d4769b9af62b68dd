/**
 * Turns a person's text into records: JSONL line by line, Markdown by headings, other text in pieces at empty lines.
 * Ids come from the file's path and the place within, so the same file read again updates instead of doubling, and files of
 * the same name in other folders stay apart.
 */
import type { RecordInput } from 'scrubjay'
import { splitMarkdown } from './split-markdown.ts'
import { splitText } from './split-text.ts'

export interface ReadText {
  /** `place` says where in the text a record stands, for messages. */
  readonly records: readonly { readonly record: RecordInput; readonly place: string }[]
  readonly errors: readonly string[]
}

/** `name` is the file's path, or any word for pasted text. */
export function readText(name: string, text: string, modifiedMs: number): ReadText {
  if (text.includes('\0')) return { records: [], errors: ['the whole file: must be text.'] }
  if (looksLikeJsonLines(name, text)) return readLines(text)
  const isMarkdown = /\.(md|markdown)$/i.test(name) || /^#{1,6}\s/m.test(text)
  const pieces = isMarkdown ? splitMarkdown(text) : splitText(text)
  const records = pieces.map(({ title, body, place }) => ({
    place,
    record: {
      id: `${name}#${place}`,
      kind: 'note',
      project: 'yours',
      title: title === '' ? name : title,
      ...(body === '' ? {} : { body }),
      // A file by itself, or all files of a folder.
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

/** One record a line; the engine checks what stands in it. */
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
