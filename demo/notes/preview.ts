/**
 * Renders Markdown as elements. Markup is shown as text, script addresses do not become links, and images become links, so
 * a note can make this page neither run nor load anything.
 */
import MarkdownIt, { type StateInline, type Token } from 'markdown-it'
import { linkPattern } from './model/note.ts'

/** `hrefOf` returns the address of the note of a [[title]], or of a new note. */
export function renderMarkdown(text: string, hrefOf: (title: string) => string): DocumentFragment {
  const place = document.createElement('template')
  place.innerHTML = markdownAsHtml(text, hrefOf)
  return place.content
}

/** Renders Markdown as HTML. */
export function markdownAsHtml(text: string, hrefOf: (title: string) => string): string {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
  markdown.inline.ruler.before('link', 'note-link', (state, silent) => noteLink(state, silent, hrefOf))
  markdown.core.ruler.push('for-this-page', ({ tokens }) => {
    for (const token of tokens.flatMap((one) => [one, ...(one.children ?? [])])) adapt(token)
  })
  markdown.renderer.rules['image'] = (tokens, at, _options, _env, self) => {
    const token = tokens[at]
    const source = String(token?.attrGet('src') ?? '')
    const name = token?.content || source
    const { escapeHtml } = markdown.utils
    return token === undefined
      ? self.renderToken(tokens, at, _options)
      : `<a href="${escapeHtml(source)}" target="_blank" rel="noreferrer">${escapeHtml(name)}</a>`
  }
  return markdown.render(text)
}

function noteLink(state: StateInline, silent: boolean, hrefOf: (title: string) => string): boolean {
  linkHere.lastIndex = state.pos
  const found = linkHere.exec(state.src)
  if (found === null || linkHere.lastIndex > state.posMax) return false
  const title = (found[1] ?? '').trim()
  if (!silent) {
    state.push('link_open', 'a', 1).attrs = [
      ['href', hrefOf(title)],
      ['class', 'note-link'],
    ]
    state.push('text', '', 0).content = title
    state.push('link_close', 'a', -1)
  }
  state.pos += found[0].length
  return true
}

/** Sticky: matches only at the current position instead of searching the rest of the text. */
const linkHere = new RegExp(linkPattern, 'y')

/** Lowers headings below the note's title; replaces inline styles of table columns, which the security policy blocks. */
function adapt(token: Token): void {
  if (token.type === 'heading_open' || token.type === 'heading_close')
    token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}`
  const style = token.attrGet('style')
  if (style !== null) token.attrs = [['class', `to-${String(style).split(':')[1] ?? 'start'}`]]
  if (token.type === 'link_open' && !String(token.attrGet('href') ?? '').startsWith('#')) {
    token.attrSet('target', '_blank')
    token.attrSet('rel', 'noreferrer')
  }
}
