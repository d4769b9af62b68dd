/**
 * Converts Markdown files to notes and back. The title is the one of the front matter, else the first heading, else the file
 * name. Tags of the front matter are added to the text.
 */
import type { NoteText } from '../model/note.ts'
import { tagsIn } from '../model/note.ts'

export interface MarkdownNote extends Pick<NoteText, 'title' | 'body'> {
  /** The id of the front matter; null without one. */
  readonly id: string | null
}

/** `path` is the path of the file, with `/`. */
export function readMarkdown(path: string, text: string): MarkdownNote {
  const { head, rest } = splitFrontMatter(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'))
  const heading = /^\s*# +(.+?)(?: +#+)? *(?:\n|$)/.exec(rest)
  const name = (path.split('/').at(-1) ?? path).replace(/\.[^.]+$/, '')
  const title = head.get('title') ?? heading?.[1] ?? name
  const own = heading !== null && heading[1] === title ? rest.slice(heading[0].length) : rest
  const has = new Set(tagsIn(own))
  const missing = wordsOf(head.get('tags') ?? '').filter((tag) => !has.has(tag.toLowerCase()))
  const body = [own.trim(), missing.map((tag) => `#${tag}`).join(' ')].filter((part) => part !== '').join('\n\n')
  const id = head.get('id') ?? ''
  return { id: id === '' || id.length > 512 ? null : id, title, body }
}

export function writeMarkdown({ title, body }: Pick<NoteText, 'title' | 'body'>, id: string | null): string {
  const head = id === null ? '' : `---\nid: ${id}\n---\n\n`
  return `${head}${title.trim() === '' ? '' : `# ${title.trim()}\n\n`}${body.trim()}\n`
}

/** Reads `key: value` lines and lists as `[a, b]` or `- a` lines, as notes apps write them. Other YAML is ignored. */
function splitFrontMatter(text: string): { readonly head: ReadonlyMap<string, string>; readonly rest: string } {
  const match = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text)
  if (match === null) return { head: new Map(), rest: text }
  const head = new Map<string, string>()
  let key = ''
  for (const line of (match[1] ?? '').split('\n')) {
    const pair = /^([\w-]+):\s*(.*)$/.exec(line)
    const part = /^\s*-\s+(.*)$/.exec(line)?.[1]
    if (pair !== null) {
      key = (pair[1] ?? '').toLowerCase()
      head.set(key, unquoted(pair[2] ?? ''))
    } else if (part !== undefined && key !== '') head.set(key, `${head.get(key) ?? ''}, ${unquoted(part)}`)
  }
  for (const [name, value] of head) if (value === '') head.delete(name)
  return { head, rest: text.slice(match[0].length) }
}

function unquoted(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/, '$2')
}

/** Tags of a list, with characters that a tag cannot have replaced by `-`. */
function wordsOf(list: string): readonly string[] {
  return list
    .replaceAll(/[[\]]/g, '')
    .split(',')
    .map((word) =>
      unquoted(word)
        .replace(/^#/, '')
        .trim()
        .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-'),
    )
    .filter((word) => /\p{L}/u.test(word))
}
