/** Completes the title of a link while it is typed: `[[` opens a list of notes below the caret. */
import { counted } from '../../shared/format.ts'
import { announce, make } from '../../shared/dom.ts'
import { titleKey } from '../../shared/title-first.ts'
import type { NoteLine } from '../model/note.ts'
import type { NoteIndex } from '../model/note-index.ts'

const maxShown = 8

export function completeLinks(field: HTMLTextAreaElement, index: NoteIndex): void {
  const list = make('ul', {
    class: 'completions',
    id: 'completions',
    role: 'listbox',
    'aria-label': 'Notes',
    hidden: true,
  })
  field.after(list)
  field.setAttribute('aria-autocomplete', 'list')
  field.setAttribute('aria-controls', list.id)
  let chosen = 0

  field.addEventListener('input', refresh)
  field.addEventListener('click', refresh)
  field.addEventListener('blur', close)
  addEventListener('resize', () => list.hidden || place())
  field.addEventListener('keydown', (event) => {
    if (list.hidden || event.isComposing) return
    const count = list.childElementCount
    if (event.key === 'ArrowDown') choose((chosen + 1) % count)
    else if (event.key === 'ArrowUp') choose((chosen + count - 1) % count)
    else if (event.key === 'Enter' || event.key === 'Tab') accept(list.children[chosen])
    else if (event.key === 'Escape') close()
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') return close()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  // A press must not take the focus from the text before it is a click.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    if (target instanceof Element) accept(target.closest('li'))
  })

  function refresh(): void {
    const typed = typedTitle()
    const found = typed === null ? [] : matching(index.all(), typed)
    if (found.length === 0) return close()
    const wasHidden = list.hidden
    list.replaceChildren(
      ...found.map(({ title }, place) => make('li', { role: 'option', id: `completion-${place}` }, title)),
    )
    list.hidden = false
    place()
    choose(0)
    if (wasHidden) announce(`${counted(found.length, 'note')}. Arrow keys choose, Enter links.`)
  }

  /** The text after the last `[[` before the caret; null if no link is being typed. */
  function typedTitle(): string | null {
    const { selectionStart, selectionEnd, value } = field
    if (selectionStart !== selectionEnd || document.activeElement !== field) return null
    return /\[\[([^[\]\n|#]{0,80})$/.exec(value.slice(Math.max(0, selectionStart - 90), selectionStart))?.[1] ?? null
  }

  function choose(place: number): void {
    chosen = place
    for (const [at, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(at === place))
    list.children[place]?.scrollIntoView({ block: 'nearest' })
    field.setAttribute('aria-activedescendant', `completion-${place}`)
  }

  function accept(option: Element | null | undefined): void {
    const typed = typedTitle()
    if (!option || typed === null) return close()
    const end = field.selectionStart
    field.setSelectionRange(end - typed.length, field.value.startsWith(']]', end) ? end + 2 : end)
    // Unlike `setRangeText`, this can be undone with the keyboard. It sends the event `input`, too.
    document.execCommand('insertText', false, `${option.textContent}]]`)
    close()
  }

  function close(): void {
    list.hidden = true
    field.removeAttribute('aria-activedescendant')
  }

  /** Puts the list below the line of the caret. */
  function place(): void {
    const { left, top, lineHeight } = caretOf(field)
    list.style.left = `${Math.max(0, Math.min(left, field.clientWidth - 240)) + field.offsetLeft}px`
    list.style.top = `${field.offsetTop + Math.min(top - field.scrollTop + lineHeight, field.clientHeight)}px`
  }
}

/** Titles that begin with it first, then titles and other names that contain it; the newest first in each group. */
function matching(lines: readonly NoteLine[], typed: string): readonly NoteLine[] {
  const key = titleKey(typed)
  const begins: NoteLine[] = []
  const contains: NoteLine[] = []
  for (const line of lines) {
    // A title with brackets cannot be linked.
    if (/[[\]|\n]/.test(line.title)) continue
    if (line.key.startsWith(key)) begins.push(line)
    else if (contains.length < maxShown && [line.key, ...line.otherKeys].some((name) => name.includes(key)))
      contains.push(line)
    if (begins.length >= maxShown) break
  }
  return [...begins, ...contains].slice(0, maxShown)
}

/** Position of the caret inside the text of the field, in pixels: a hidden copy of the text before it has the same lines. */
function caretOf(field: HTMLTextAreaElement): {
  readonly left: number
  readonly top: number
  readonly lineHeight: number
} {
  const style = getComputedStyle(field)
  const copy = make('div', { class: 'caret-copy', 'aria-hidden': 'true' }, field.value.slice(0, field.selectionStart))
  const caret = make('span', {}, '\u200B')
  copy.append(caret)
  copy.style.font = style.font
  copy.style.padding = style.padding
  copy.style.width = `${field.clientWidth}px`
  field.after(copy)
  const { offsetLeft, offsetTop, offsetHeight } = caret
  copy.remove()
  return { left: offsetLeft, top: offsetTop, lineHeight: offsetHeight }
}
