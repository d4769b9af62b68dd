/**
 * Reads the front matter of Markdown files: `key: value` lines, and lists as `[a, b]` or `- a` lines, as notes apps write
 * them. Other YAML is kept as it is, and not read. Pure.
 */

import { dateIn } from './day-note.ts'

/** The fields that a note keeps from its file, so that an export writes the same file again. */
export interface FileFacts {
  /** The lines between the `---`, without id and title. Empty without front matter. */
  readonly frontMatter: string
  /** Where the file has its title. */
  readonly titleIn: 'front matter' | 'heading' | 'file name'
}

/** Of the metadata of a record; of notes that came of no file: those of a file with a heading. */
export function fileFactsOf(metadata: Readonly<Record<string, unknown>> | undefined): FileFacts {
  const { frontMatter, titleIn } = metadata ?? {}
  return {
    frontMatter: typeof frontMatter === 'string' ? frontMatter : '',
    titleIn: titleIn === 'front matter' || titleIn === 'file name' ? titleIn : 'heading',
  }
}

export function splitFrontMatter(text: string): { readonly head: string; readonly rest: string } {
  const match = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text)
  return match === null ? { head: '', rest: text } : { head: match[1] ?? '', rest: text.slice(match[0].length) }
}

/** Values by key in lower case; a list has its items separated by commas. */
export function readFrontMatter(head: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  let key = ''
  for (const line of head.split('\n')) {
    const pair = /^([\w-]+):\s*(.*)$/.exec(line)
    const part = /^\s*-\s+(.*)$/.exec(line)?.[1]
    if (pair !== null) {
      key = (pair[1] ?? '').toLowerCase()
      values.set(key, unquoted(pair[2] ?? ''))
    } else if (part !== undefined && key !== '') {
      const before = values.get(key) ?? ''
      values.set(key, `${before}${before === '' ? '' : ', '}${unquoted(part)}`)
    }
  }
  for (const [name, value] of values) if (value === '') values.delete(name)
  return values
}

/** The lines without those of `keys`, which have one line each. */
export function withoutKeys(head: string, keys: readonly string[]): string {
  const isDropped = (line: string) => keys.includes(/^([\w-]+):/.exec(line)?.[1]?.toLowerCase() ?? '')
  return head
    .split('\n')
    .filter((line) => !isDropped(line))
    .join('\n')
}

/** `pinned: true` pins the note. */
export function isPinnedIn(head: string): boolean {
  return readFrontMatter(head).get('pinned') === 'true'
}

export function withPin(head: string, isPinned: boolean): string {
  const others = withoutKeys(head, ['pinned'])
  return [others, isPinned ? 'pinned: true' : ''].filter((part) => part !== '').join('\n')
}

/** Of a file that is imported again: without a word about the pin, the note keeps its own. */
export function keepPin(head: string, wasPinned: boolean): string {
  return wasPinned && !readFrontMatter(head).has('pinned') ? withPin(head, true) : head
}

/** Other names of the note. */
export function aliasesIn(head: string): readonly string[] {
  const values = readFrontMatter(head)
  return itemsOf(values.get('aliases') ?? values.get('alias') ?? '')
}

/** When the note was written, in ms; null if the head does not say it. */
export function dateOfHead(head: string): number | null {
  const values = readFrontMatter(head)
  return dateIn(values.get('created') ?? '') ?? dateIn(values.get('date') ?? '')
}

/** Tags in lower case, with characters that a tag cannot have replaced by `-`. */
export function tagsOfHead(head: string): readonly string[] {
  const values = readFrontMatter(head)
  return itemsOf(values.get('tags') ?? values.get('tag') ?? '')
    .map((word) =>
      word
        .replace(/^#/, '')
        .replaceAll(/[^\p{L}\p{N}_/-]+/gu, '-')
        .toLowerCase(),
    )
    .filter((word) => /\p{L}/u.test(word) && word.length <= maxTagLength)
}

function itemsOf(list: string): readonly string[] {
  return list
    .replaceAll(/^\[|\]$/g, '')
    .split(',')
    .map((word) => unquoted(word))
    .filter((word) => word !== '')
}

function unquoted(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/, '$2')
}

const maxTagLength = 256
