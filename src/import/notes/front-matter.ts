/** Splits the front matter from a note, and reads it with the package `yaml`, which is loaded when the first note has some. */
import type { Metadata, MetadataValue } from '../../core/model/record.ts'
import { yaml } from '../reading/parsers.ts'

export interface Head {
  readonly values: ReadonlyMap<string, unknown>
  /** The text behind the front matter. */
  readonly rest: string
  /** Why the front matter cannot be read; it is left in `rest` then. */
  readonly problem: string | null
}

export function splitHead(text: string): { readonly head: string | null; readonly rest: string } {
  const match = /^---[ \t]*\n([\s\S]*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text)
  return match === null ? { head: null, rest: text } : { head: match[1] ?? '', rest: text.slice(match[0].length) }
}

/** `text` with line feeds alone. Keys are in lower case. */
export async function readHead(text: string): Promise<Head> {
  const { head, rest } = splitHead(text)
  if (head === null) return { values: new Map(), rest, problem: null }
  if (head.trim() === '') return { values: new Map(), rest, problem: null }
  const { parse } = await yaml()
  try {
    // Aliases could expand a short text to any size. Times stay texts: they are read in the zone of the import.
    const value: unknown = parse(head, { maxAliasCount: 50, schema: 'core', logLevel: 'error' })
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return {
        values: new Map(),
        rest: text,
        problem: 'has front matter without fields; it stays in the text',
      }
    const values = new Map(Object.entries(value).map(([key, member]) => [key.trim().toLowerCase(), member as unknown]))
    return { values, rest, problem: null }
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : ''
    return {
      values: new Map(),
      rest: text,
      problem: `has front matter that cannot be read, which stays in the text: ${reason}`,
    }
  }
}

/** A text, or a list of texts, as a list. Other values are left out. */
export function listOf(value: unknown, separator: RegExp): readonly string[] {
  const values = Array.isArray(value) ? value.flat(2) : typeof value === 'string' ? value.split(separator) : [value]
  return values
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .map((one) => String(one).trim())
    .filter((one) => one !== '')
}

/** The fields that the record has no place for, as metadata. */
export function metadataOf(values: ReadonlyMap<string, unknown>, used: ReadonlySet<string>): Metadata {
  const kept: Record<string, MetadataValue> = {}
  for (const [key, value] of values) if (!used.has(key) && key !== '' && key !== '__proto__') kept[key] = plain(value)
  return kept
}

export function plain(value: unknown): MetadataValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.map(plain)
  if (value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Titles and other names in the first lines of a note: enough for links, without a parser. */
export function namesIn(beginning: string): readonly string[] {
  const { head } = splitHead(beginning.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'))
  const lines = (head ?? beginning.slice(0, 512)).split('\n')
  const names: string[] = []
  let isList = false
  for (const line of lines) {
    const [, key = '', value = ''] = /^\s*-?\s*(title|alias|aliases)::?\s*(.*)$/i.exec(line) ?? []
    if (key !== '') {
      isList = value.trim() === ''
      const isTitle = key.toLowerCase() === 'title'
      names.push(...(isTitle ? [value] : value.replace(/^\[(.*)\]$/, '$1').split(',')))
    } else if (isList && /^\s*-\s/.test(line)) names.push(line.replace(/^\s*-\s+/, ''))
    else isList = false
  }
  return names.map((name) => name.trim().replace(/^(["'])(.*)\1$/, '$2')).filter((name) => name !== '')
}
