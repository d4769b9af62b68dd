/** Shows the most frequent tags as buttons. A pressed one narrows the list to the notes with that tag. */
import { createChipRow } from '../../shared/chip-row.ts'
import { partById } from '../../shared/dom.ts'
import type { NoteIndex } from '../model/note-index.ts'

export interface TagRow {
  /** Null: all notes. */
  chosen(): string | null
  /** Draws the tags of the index again. */
  show(): void
}

const maxTags = 12

export function createTagRow(index: NoteIndex, changed: () => void): TagRow {
  const row = createChipRow(partById('tags'), 1, () => {
    // A chosen tag that is not among the most frequent ones leaves the row.
    show()
    changed()
  })
  return { chosen: row.chosen, show }

  function show(): void {
    const shown = index.tags().filter(({ tag }, place) => place < maxTags || tag === row.chosen())
    row.show(shown.map(({ tag, count }) => ({ value: tag, name: `#${tag}`, count })))
  }
}
