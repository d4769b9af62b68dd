/** Renders Markdown for the site: anchors of headings, links to pages of the site, highlighted code, tables that scroll. */
import { posix } from 'node:path'
import hljs from 'highlight.js/lib/common'
import MarkdownIt, { type Token } from 'markdown-it'
import { sourceOf } from './sources.ts'

export type Tokens = readonly Token[]

export interface Heading {
  readonly level: number
  readonly text: string
  readonly anchor: string
}

export interface Rendered {
  readonly html: string
  readonly headings: readonly Heading[]
}

/** Where the sources of pages that the site does not show can be read. */
export const repository = 'https://github.com/scrubjay/scrubjay'

const languages: Readonly<Record<string, string>> = { sh: 'bash', tsx: 'typescript', vue: 'xml', svelte: 'xml' }

const markdown = new MarkdownIt({ html: false, linkify: false, highlight: highlighted })
// Regions of one page have different names.
markdown.renderer.rules['table_open'] = (tokens, i, _options, env) => {
  const name = `Table ${++(env as Env).tables}: ${columnsOf(tokens, i)}`
  return `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(name)}"><table>\n`
}
markdown.renderer.rules['table_close'] = () => '</table></div>\n'
// Alignment is a style attribute otherwise, which the security policy blocks.
for (const cell of ['th_open', 'td_open'])
  markdown.renderer.rules[cell] = (tokens, i) => {
    const token = tokens[i]!
    const isFigure = String(token.attrGet('style')).includes('right')
    return `<${tagOf(token, tokens[i + 1])}${isFigure ? ' class="figure"' : ''}>`
  }
markdown.renderer.rules['th_close'] = (tokens, i) => `</${tagOf(tokens[i]!, tokens[i - 1])}>`
markdown.renderer.rules['fence'] = (tokens, i) => codeBlock(tokens[i]!)

export function parseMarkdown(text: string): Tokens {
  return markdown.parse(text, {})
}

/**
 * Renders the tokens of the file. `prefix` leads from the page to the root of the site (`../`), `insert` returns markup for the
 * place in front of a token.
 */
export function renderTokens(
  tokens: Tokens,
  file: string,
  prefix: string,
  insert: (token: Token, i: number) => string = () => '',
): Rendered {
  const headings = headingsOf(tokens)
  for (const { children } of tokens)
    for (const child of children ?? []) {
      if (child.type === 'link_open') child.attrSet('href', siteLink(String(child.attrGet('href')), file, prefix))
      if (child.type === 'image') child.attrSet('src', `${prefix}${assetOf(String(child.attrGet('src')), file)}`)
    }
  const env: Env = { tables: 0 }
  let html = ''
  let place = 0
  // A whole block at a time: renderer rules read the tokens next to theirs.
  for (const [from, to] of blocks(tokens)) {
    html += insert(tokens[from]!, from)
    if (tokens[from]?.type === 'heading_open') html += heading(tokens[from + 1]!, headings[place++]!)
    else html += markdown.renderer.render(tokens.slice(from, to), markdown.options, env)
  }
  return { html, headings }
}

/** Number of tables of the page until now. */
type Env = {
  tables: number
}

/** A header without text is an empty cell, as it heads nothing. */
function tagOf({ tag }: Tokens[number], content: Tokens[number] | undefined): string {
  return tag === 'th' && content?.content === '' ? 'td' : tag
}

/** The texts of the header cells of the table that opens at a token. */
function columnsOf(tokens: Tokens, open: number): string {
  const end = tokens.findIndex(({ type }, i) => i > open && type === 'thead_close')
  const cells = tokens.slice(open, end).filter(({ type, content }) => type === 'inline' && content !== '')
  return cells.map((cell) => plainText(cell)).join(', ')
}

export function headingsOf(tokens: Tokens): readonly Heading[] {
  const used = new Map<string, number>()
  return tokens.flatMap((token, i) => {
    if (token.type !== 'heading_open') return []
    const text = plainText(tokens[i + 1]!)
    const base = anchorOf(tokens[i + 1]!.content)
    const before = used.get(base) ?? 0
    used.set(base, before + 1)
    return [{ level: Number(token.tag.slice(1)), text, anchor: before === 0 ? base : `${base}-${before}` }]
  })
}

/** Text without markup. */
export function plainText({ children, content }: Token): string {
  if (children === null) return content
  return children
    .map((child) => (child.type === 'softbreak' ? ' ' : child.children ? plainText(child) : child.content))
    .join('')
}

/** The address that a link of a file has on the site. */
export function siteLink(target: string, file: string, prefix: string): string {
  if (/^[a-z]+:/.test(target) || target.startsWith('#')) return target
  const [path = '', anchor] = target.split('#')
  const resolved = posix.normalize(posix.join(posix.dirname(file), path))
  const end = anchor === undefined ? '' : `#${anchor}`
  const source = sourceOf.get(resolved) ?? sourceOf.get(`${resolved.replace(/\/$/, '')}/README.md`)
  if (source !== undefined) return `${prefix}${source.path}${end}`
  if (/\.(?:svg|png)$/.test(resolved)) return `${prefix}${assetOf(target, file)}`
  return `${repository}/blob/main/${resolved}${end}`
}

/** Pictures keep their places of the repository. */
export function assetOf(target: string, file: string): string {
  return posix.normalize(posix.join(posix.dirname(file), target))
}

export function escapeHtml(text: string): string {
  return markdown.utils.escapeHtml(text)
}

/** As code hosts make them, and as the test of the documentation expects. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

function heading(inline: Token, { level, anchor, text }: Heading): string {
  const inner = markdown.renderer.renderInline(inline.children ?? [], markdown.options, {})
  if (level === 1) return `<h1 id="${anchor}">${inner}</h1>\n`
  const name = escapeHtml(`Link to “${text}”`)
  return `<h${level} id="${anchor}">${inner} <a class="anchor" href="#${anchor}" aria-label="${name}">#</a></h${level}>\n`
}

function blocks(tokens: Tokens): readonly (readonly [from: number, to: number])[] {
  const found: (readonly [number, number])[] = []
  let depth = 0
  let from = 0
  tokens.forEach((token, i) => {
    depth += token.nesting
    if (depth > 0) return
    found.push([from, i + 1])
    from = i + 1
  })
  return found
}

function codeBlock({ info, content }: Token): string {
  const language = info.split(/\s/)[0] ?? ''
  const name = language === '' || language === 'text' ? 'Text' : `Code, ${language}`
  return `<div class="code"><pre tabindex="0" role="region" aria-label="${escapeHtml(name)}"><code>${highlighted(content, language)}</code></pre></div>\n`
}

function highlighted(code: string, language: string): string {
  const known = languages[language] ?? language
  if (hljs.getLanguage(known) === undefined) return escapeHtml(code)
  return hljs.highlight(code, { language: known }).value
}
