/** Lets the user choose the order of the list, and keeps the choice in this browser. */
import { partById } from '../../shared/dom.ts'
import type { NoteOrder } from '../model/sort-notes.ts'

const key = 'scrubjay-notes-order'

/** Calls `changed` after a choice. Returns a function that reads it. */
export function createSortChoice(changed: () => void): () => NoteOrder {
  const select = partById('sort', HTMLSelectElement)
  select.value = keptOrder()
  select.addEventListener('change', () => {
    try {
      localStorage.setItem(key, select.value)
    } catch {
      // Without local storage the choice holds for this visit.
    }
    changed()
  })
  return () => orderOf(select.value)
}

export function keptOrder(): NoteOrder {
  try {
    return orderOf(localStorage.getItem(key))
  } catch {
    return 'changed'
  }
}

function orderOf(value: string | null): NoteOrder {
  return value === 'created' || value === 'title' ? value : 'changed'
}
