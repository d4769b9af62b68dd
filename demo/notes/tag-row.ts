/** Shows the most frequent tags as buttons. A pressed one narrows the list to the notes with that tag. */
import { make, partById } from '../shared/parts.ts'
import { oneTabStop } from '../shared/roving.ts'
import type { NoteIndex } from './model/note-index.ts'

export interface TagRow {
  /** Null: all notes. */
  chosen(): string | null
  /** Draws the tags of the index again. */
  show(): void
}

const maxTags = 12

export function createTagRow(index: NoteIndex, changed: () => void): TagRow {
  const chips = partById('tags')
  const redrawn = oneTabStop(chips, '.chip')
  let chosen: string | null = null
  return { chosen: () => chosen, show }

  function show(): void {
    const counts = index.tags()
    if (chosen !== null && !counts.some(({ tag }) => tag === chosen)) chosen = null
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['chip'] : undefined
    const shown = counts.filter(({ tag }, place) => place < maxTags || tag === chosen)
    chips.replaceChildren(...shown.map(({ tag, count }) => chip(tag, count)))
    redrawn()
    if (focused !== undefined) chips.querySelector<HTMLElement>(`[data-chip="${CSS.escape(focused)}"]`)?.focus()
    chips.hidden = counts.length === 0
  }

  function chip(tag: string, count: number): HTMLElement {
    const click = () => {
      chosen = chosen === tag ? null : tag
      show()
      changed()
    }
    return make(
      'button',
      { type: 'button', class: 'chip', 'data-chip': tag, 'aria-pressed': String(chosen === tag), click },
      `#${tag}`,
      make('span', { class: 'chip-count' }, String(count)),
    )
  }
}
