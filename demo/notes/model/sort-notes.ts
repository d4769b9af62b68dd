/** Orders the list of notes: pinned ones first, then as the user chose. Pure. */
import type { ListOrder } from 'scrubjay'
import { type NoteLine, pinTag } from './note.ts'

export type NoteOrder = 'changed' | 'created' | 'title'

/** The same order in the store. */
export const storeOrders: Readonly<Record<NoteOrder, ListOrder>> = {
  changed: { by: 'updatedAt' },
  created: { by: 'createdAt' },
  title: { by: 'title' },
}

/** `newestFirst`: by their last change. */
export function sortNotes(newestFirst: readonly NoteLine[], order: NoteOrder): readonly NoteLine[] {
  const sorted = order === 'changed' ? newestFirst : newestFirst.toSorted(comparisons[order])
  const isPinned = ({ tags }: NoteLine) => tags.includes(pinTag)
  const pinned = sorted.filter(isPinned)
  return pinned.length === 0 ? sorted : [...pinned, ...sorted.filter((line) => !isPinned(line))]
}

/** The day that a list in this order shows. */
export function timeOf({ createdAt, updatedAt }: NoteLine, order: NoteOrder): number {
  return order === 'created' ? createdAt : updatedAt
}

const titles = new Intl.Collator(undefined, { numeric: true })

const comparisons = {
  created: (a: NoteLine, b: NoteLine) => b.createdAt - a.createdAt,
  title: (a: NoteLine, b: NoteLine) => titles.compare(a.title, b.title),
} as const
