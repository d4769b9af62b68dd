/**
 * Converts Markdown files to notes and back. The title is the one of the front matter, else the first heading, else the file
 * name. Pictures and links of the heading, such as badges, go into the text. What the note does not need of the front matter is kept, and written again. Pure.
 */
import { plainHeading } from '../../shared/plain-heading.ts'
import type { NoteText } from '../model/note.ts'
import { type FileFacts, readFrontMatter, splitFrontMatter, withoutKeys } from '../model/front-matter.ts'

export interface MarkdownNote extends Pick<NoteText, 'title' | 'body'> {
  /** The id of the front matter; null without one. */
  readonly id: string | null
  readonly facts: FileFacts
}

/** `path` is the path of the file, with `/`. */
export function readMarkdown(path: string, text: string): MarkdownNote {
  const { head, rest } = splitFrontMatter(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'))
  const values = readFrontMatter(head)
  const heading = /^\s*# +(.+?)(?: +#+)? *(?:\n|$)/.exec(rest)
  const plain = plainHeading(heading?.[1] ?? '')
  const named = plain.title === '' ? undefined : plain.title
  const title = values.get('title') ?? named ?? stemOf(path)
  const isInHeading = heading !== null && named === title
  const body = (isInHeading ? `${plain.rest}\n\n${rest.slice(heading[0].length).trimStart()}` : rest).trim()
  const titleIn = isInHeading ? 'heading' : values.has('title') ? 'front matter' : 'file name'
  const id = values.get('id') ?? ''
  const facts = { frontMatter: withoutKeys(head, ['id', 'title']), titleIn } as const
  return { id: id === '' || id.length > 512 ? null : id, title, body, facts }
}

export interface WriteOptions {
  /** Null: the file gets no id. */
  readonly id: string | null
  readonly facts: FileFacts
  /** Path of the file to write. */
  readonly path: string
}

export function writeMarkdown(
  { title, body }: Pick<NoteText, 'title' | 'body'>,
  { id, facts, path }: WriteOptions,
): string {
  const name = title.trim()
  const isInName = facts.titleIn === 'file name' && name === stemOf(path)
  const isInHead = facts.titleIn === 'front matter'
  const lines = [
    id === null ? '' : `id: ${id}`,
    isInHead && name !== '' ? `title: ${JSON.stringify(name)}` : '',
    facts.frontMatter,
  ].filter((line) => line !== '')
  const head = lines.length === 0 ? '' : `---\n${lines.join('\n')}\n---\n\n`
  return `${head}${name === '' || isInName || isInHead ? '' : `# ${name}\n\n`}${body.trim()}\n`
}

/** The name of the file without folder and ending. */
function stemOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.[^.]+$/, '')
}
