/**
 * Renders Markdown as elements. Markup is shown as text, script addresses do not become links, and images become links, so
 * a note can make this page neither run nor load anything.
 */
import type { StateInline } from 'markdown-it'
import { safeMarkdown } from '../shared/markdown.ts'
import { linkPattern } from './model/note.ts'

/** `hrefOf` returns the address of the note of a [[title]], or of a new note. */
export function renderMarkdown(text: string, hrefOf: (title: string) => string): DocumentFragment {
  const place = document.createElement('template')
  place.innerHTML = markdownAsHtml(text, hrefOf)
  return place.content
}

/** Renders Markdown as HTML. */
export function markdownAsHtml(text: string, hrefOf: (title: string) => string): string {
  const markdown = safeMarkdown()
  markdown.inline.ruler.before('link', 'note-link', (state, silent) => noteLink(state, silent, hrefOf))
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
