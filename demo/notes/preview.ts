/**
 * A note's Markdown as elements. Markup in the text is shown as text, addresses of scripts are no links, and pictures are
 * links too: nothing a note says makes this page run or fetch anything.
 */
import MarkdownIt, { type StateInline, type Token } from 'markdown-it'
import { linkPattern } from './note.ts'

/** `hrefOf` leads a [[title]] to its note, or to the beginning of one. */
export function renderMarkdown(text: string, hrefOf: (title: string) => string): DocumentFragment {
  const place = document.createElement('template')
  place.innerHTML = markdownAsHtml(text, hrefOf)
  return place.content
}

/** The same as HTML. */
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

/** Sticky: at each `[[` it looks at this place alone, not through the rest of the text. */
const linkHere = new RegExp(linkPattern, 'y')

/** Headings stand below the note's own; a policy without inline styles refuses how columns are aligned. */
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
