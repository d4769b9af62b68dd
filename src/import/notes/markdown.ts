/**
 * Reads a note in Markdown, of Obsidian, Logseq, Dendron or any other app, as one record: front matter, title, tags, other names, links and
 * embeds as relations, and the day of a daily note. The text stays whole, with its code blocks.
 */
import type { RecordInput, RelationRow } from '../../core/model/record.ts'
import { sha256Hex } from '../../core/text/hash/sha256.ts'
import { type Context, fileId, left, type Reader, type SourceFile, stemOf } from '../reading/reader.ts'
import { dayInName, readTime } from './dates.ts'
import { listOf, metadataOf, readHead } from './front-matter.ts'
import { unescaped } from './links.ts'
import { withoutCode } from './without-code.ts'

export const markdown: Reader = {
  kind: 'markdown',
  recognises: ({ extension, text }) =>
    /^(?:md|markdown|mdx)$/.test(extension) || (extension === '' && /^(?:#{1,6} \S|---\n[\w-]+:)/.test(text)),
  async *read(opened, context) {
    const { record, joined } = await noteOf(opened.file, await opened.whole(), context)
    if (joined > 0) yield { joined }
    yield record ?? left('empty', null, 'holds no text')
  },
}

/** Fields of the front matter that a record has a place for. */
const titleKeys = ['title']
const tagKeys = ['tags', 'tag', 'keywords', 'categories']
const aliasKeys = ['aliases', 'alias']
const createdKeys = [
  'created',
  'date',
  'created_at',
  'createdat',
  'date created',
  'creation_date',
  'published',
  'datetime',
]
const updatedKeys = [
  'updated',
  'modified',
  'updated_at',
  'updatedat',
  'last_modified',
  'lastmod',
  'date modified',
  'last updated',
]

interface Note {
  readonly record: RecordInput | null
  readonly joined: number
}

async function noteOf(file: SourceFile, given: string, context: Context): Promise<Note> {
  const { offsetAt, warn } = context
  const text = given.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const { values: head, rest, problem } = await readHead(text)
  if (problem !== null) warn(null, problem)
  const values = new Map([...pageProperties(rest), ...head])
  const prose = withoutCode(rest)
  const heading = /^\s*# +(.+?)(?: +#+)? *(?:\n|$)/.exec(rest)
  const stem = stemOf(file.path)
  const ownTitle = textIn(values, titleKeys)
  const title = ownTitle ?? plainHeading(heading?.[1]) ?? firstHeading(prose, rest) ?? unescaped(stem)
  // A heading that is the title is not stored twice.
  const isInHeading = heading !== null && plainHeading(heading[1]) === title && !/[![]/.test(heading[1] ?? '')
  const body = (isInHeading ? rest.slice(heading[0].length) : rest).trim()
  if (text.trim() === '' || (body === '' && ownTitle === undefined && !isInHeading)) return { record: null, joined: 0 }

  const { relations, missing, attachments } = linksIn(prose, file, context)
  const aliases = aliasKeys.flatMap((key) => listOf(values.get(key), /,/)).map(unlinked)
  const day = dayInName(stem, offsetAt)
  const created =
    timeIn(values, createdKeys, offsetAt) ?? day ?? dayInName(title, offsetAt) ?? file.modifiedMs ?? undefined
  const updated = timeIn(values, updatedKeys, offsetAt) ?? file.modifiedMs ?? created
  const used = new Set([...titleKeys, ...tagKeys, ...aliasKeys])
  const record: RecordInput = {
    id: fileId(file),
    kind: 'note',
    title,
    ...(body === '' ? {} : { body }),
    source: fileId(file).slice('file:'.length),
    tags: tagsIn(values, prose),
    files: [
      { path: file.path, sha256: sha256Hex(given), ...(file.modifiedMs === null ? {} : { mtime: file.modifiedMs }) },
    ],
    ...(aliases.length === 0
      ? {}
      : { terms: aliases.slice(0, 100).map((term) => ({ term: term.slice(0, 1024), kind: 'alias' })) }),
    relations,
    ...(day === undefined ? {} : { occurredAt: day }),
    ...(created === undefined ? {} : { createdAt: created }),
    ...(updated === undefined ? {} : { updatedAt: updated }),
    metadata: {
      ...metadataOf(values, used),
      ...(missing.length === 0 ? {} : { missing }),
      ...(attachments.length === 0 ? {} : { attachments }),
    },
  }
  return { record, joined: attachments.length }
}

/** `key:: value` lines at the start of a page of Logseq. */
function pageProperties(text: string): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>()
  for (const line of text.split('\n')) {
    const [, key, value] = /^\s*(?:- )?([\p{L}][\p{L}\p{N}_-]*):: *(.*)$/u.exec(line) ?? []
    if (key === undefined) break
    values.set(key.toLowerCase(), (value ?? '').trim())
  }
  return values
}

function firstHeading(prose: string, text: string): string | undefined {
  const found = /^#{1,3} +(.+?)(?: +#+)? *$/m.exec(prose)
  if (found === null) return undefined
  // The prose has blanks in place of code.
  return plainHeading(
    text
      .slice(found.index, found.index + found[0].length)
      .replace(/^#+ +/, '')
      .replace(/ +#+ *$/, ''),
  )
}

/** A heading as a reader sees it: without pictures and marks, with links as their text. */
function plainHeading(heading: string | undefined): string | undefined {
  const plain = (heading ?? '')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/!?\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]/g, '$1')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/[*_`]{1,3}([^*_`]+)[*_`]{1,3}/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return plain === '' ? undefined : plain
}

function textIn(values: ReadonlyMap<string, unknown>, keys: readonly string[]): string | undefined {
  const found = keys
    .map((key) => values.get(key))
    .find((value) => typeof value === 'string' || typeof value === 'number')
  const text = found === undefined ? '' : unlinked(String(found).trim())
  return text === '' ? undefined : text
}

function timeIn(values: ReadonlyMap<string, unknown>, keys: readonly string[], offsetAt: Context['offsetAt']) {
  for (const key of keys) {
    const value = values.get(key)
    const ms = readTime(typeof value === 'string' ? unlinked(value) : value, offsetAt)
    if (ms !== undefined) return ms
  }
  return undefined
}

const unlinked = (text: string) => text.replace(/^#?\[\[(.*)\]\]$/, '$1')

/** Of the front matter, of page properties and of the text; `#[[two words]]` too. Without `#`, in their case. */
function tagsIn(values: ReadonlyMap<string, unknown>, prose: string): readonly string[] {
  const named = tagKeys.flatMap((key) => {
    const value = values.get(key)
    const separator = typeof value === 'string' && !value.includes(',') ? /\s+(?![^[]*\]\])/ : /,/
    return listOf(value, separator).map((tag) => unlinked(tag.replace(/^#(?!\[)/, '')))
  })
  const inline = [
    ...prose.matchAll(/(?<![^\s([{,;:>])#(?:\[\[([^\]\n]+)\]\]|([\p{L}\p{N}\p{M}_/-]*[\p{L}][\p{L}\p{N}\p{M}_/-]*))/gu),
  ]
  const all = [...named, ...inline.map(([, quoted, word]) => quoted ?? word ?? '')].map((tag) =>
    tag.trim().replace(/\/+$/, ''),
  )
  return [...new Set(all)].filter((tag) => tag !== '')
}

interface Links {
  readonly relations: readonly RelationRow[]
  /** Names that no file has. */
  readonly missing: readonly string[]
  /** Names of embedded and linked files that are not notes. */
  readonly attachments: readonly string[]
}

function linksIn(prose: string, file: SourceFile, { resolve }: Context): Links {
  const relations = new Map<string, RelationRow>()
  const missing = new Set<string>()
  const attachments = new Set<string>()
  const wiki = [...prose.matchAll(/(!?)\[\[([^\]\n|#^]*)(?:[#^][^\]\n|]*)?(?:\|[^\]\n]*)?\]\]/g)].map(
    ([, mark, name = '']) => ({ isEmbed: mark === '!', name, isWiki: true }),
  )
  const plain = [...prose.matchAll(/(!?)\[[^\]\n]*\]\(<?([^)\s>]+)>?(?:\s+["'][^)\n]*)?\)/g)]
    .map(([, mark, address = '']) => ({
      isEmbed: mark === '!',
      name: decoded(address.replace(/[#?].*$/, '')),
      isWiki: false,
    }))
    .filter(({ name }) => name !== '' && !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(name))
  for (const { isEmbed, name: given, isWiki } of [...wiki, ...plain]) {
    // In a table, the bar of a link is written `\|`.
    const name = given.trim().replace(/\\$/, '')
    if (name === '') continue
    const target = resolve(name, file)
    const kind = isEmbed ? 'embeds' : 'links_to'
    if (target !== null) relations.set(`${kind} ${target}`, { kind, target })
    else if (
      /\.(?!md$|markdown$|mdx$)[a-z0-9]{2,5}$/i.test(name) &&
      (isEmbed || !isWiki || /\.(?:pdf|png|jpe?g|gif|svg|webp|mp[34]|canvas)$/i.test(name))
    )
      attachments.add(name)
    else if (isWiki || /\.(?:md|markdown|mdx)$/i.test(name)) missing.add(name)
  }
  return {
    relations: [...relations.values()],
    missing: [...missing].slice(0, 100),
    attachments: [...attachments].slice(0, 100),
  }
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
