/** Renders notes as elements: the safe Markdown of all demos, with links between notes and boxes to tick. */
import type { StateInline, Token } from 'markdown-it'
import { safeMarkdown } from '../shared/markdown.ts'
import { isNoteAddress, linkPattern, readLink } from './model/links.ts'

/** `hrefOf` returns the address of the note to which a link leads, or of a new note. */
export function renderMarkdown(text: string, hrefOf: (title: string) => string): DocumentFragment {
  const place = document.createElement('template')
  place.innerHTML = markdownAsHtml(text, hrefOf)
  return place.content
}

/** Renders Markdown as HTML. */
export function markdownAsHtml(text: string, hrefOf: (title: string) => string): string {
  const markdown = safeMarkdown()
  markdown.inline.ruler.before('link', 'note-link', (state, silent) => noteLink(state, silent, hrefOf))
  markdown.core.ruler.push('tasks', ({ tokens }) => {
    for (const token of tokens) markTask(token)
  })
  markdown.renderer.rules['task'] = taskBox
  return markdown.render(text)
}

function noteLink(state: StateInline, silent: boolean, hrefOf: (title: string) => string): boolean {
  linkHere.lastIndex = state.pos
  const found = linkHere.exec(state.src)
  if (found === null || linkHere.lastIndex > state.posMax) return false
  const { address, text } = readLink(found[1] ?? '')
  if (!silent) {
    // An address of a place in this note, of a picture or of another file leads to no note, so its text is shown alone.
    const isLink = isNoteAddress(address)
    if (isLink)
      state.push('link_open', 'a', 1).attrs = [
        ['href', hrefOf(address)],
        ['class', 'note-link'],
      ]
    state.push('text', '', 0).content = text
    if (isLink) state.push('link_close', 'a', -1)
  }
  state.pos += found[0].length
  return true
}

/** Marks an item that begins with `[ ]` or `[x]`. */
function markTask({ type, children, map }: Token): void {
  const first = type === 'inline' ? children?.[0] : undefined
  const task = /^\[([ xX])\] +(?=\S)/.exec(first?.content ?? '')
  if (task === null || first === undefined || first.type !== 'text') return
  first.content = first.content.slice(task[0].length)
  const box = Object.assign(Object.create(Object.getPrototypeOf(first)), first, {
    type: 'task',
    tag: 'input',
    content: '',
  })
  box.meta = { line: map?.[0] ?? 0, isDone: task[1] !== ' ', name: first.content }
  children?.unshift(box)
}

function taskBox(tokens: readonly Token[], place: number): string {
  const { line, isDone, name } = tokens[place]?.meta ?? {}
  const label = String(name).replaceAll(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)
  return `<input type="checkbox" data-line="${line}" aria-label="${label}"${isDone ? ' checked' : ''}> `
}

/** Sticky: matches only at the current position instead of searching the rest of the text. */
const linkHere = new RegExp(linkPattern, 'y')
