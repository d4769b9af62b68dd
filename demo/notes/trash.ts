/**
 * Keeps deleted notes for 30 days. A note in the trash is a record whose metadata say when it was deleted; lists, links and searches leave
 * it out, and other devices sync that. Then it is forgotten, or at once if the user says so.
 */
import type { Recall, StoredRecord } from 'scrubjay'
import type { Deletions } from '../shared/delete/deletions.ts'
import { counted, day } from '../shared/format.ts'
import { explainError } from '../shared/notice.ts'
import { announce, hidden, make, partById } from '../shared/dom.ts'
import type { NoteLine } from './model/note.ts'
import type { NoteIndex } from './model/note-index.ts'

const keptMs = 30 * 86_400_000
const maxShown = 20

export async function moveToTrash(recall: Recall, ids: readonly string[]): Promise<void> {
  for (const record of await recall.get(ids)) if (record !== undefined) await setTrashedAt(recall, record, Date.now())
}

export function createTrash(recall: Recall, index: NoteIndex, deletions: Deletions): void {
  const section = partById('trash')
  index.onChange(show)
  show()
  void forgetOld()

  function show(): void {
    const lines = index.trashed()
    section.hidden = lines.length === 0
    const empty = make('button', { type: 'button', class: 'danger', id: 'empty-trash' }, 'Empty the trash')
    empty.addEventListener('click', () => void forget(lines))
    const rest = lines.length - maxShown
    partById('trash-body').replaceChildren(
      make('p', { class: 'quiet' }, `${counted(lines.length, 'note')}, each kept for 30 days.`),
      make('ul', { class: 'link-list' }, ...lines.slice(0, maxShown).map(row)),
      ...(rest > 0 ? [make('p', { class: 'quiet' }, `and ${rest} more`)] : []),
      make('p', { class: 'buttons' }, empty),
    )
  }

  function row(line: NoteLine): HTMLElement {
    const name = () => hidden(`: ${line.title}`)
    const back = make('button', { type: 'button', class: 'small', 'data-back': line.id }, 'Bring back', name())
    const now = make('button', { type: 'button', class: 'small danger' }, 'Delete for good', name())
    back.addEventListener('click', () => void bringBack(line))
    now.addEventListener('click', () => void forget([line]))
    return make(
      'li',
      { class: 'trashed' },
      make('span', {}, line.title),
      make('p', { class: 'quiet' }, `deleted ${day(line.trashedAt ?? 0)}`),
      make('p', { class: 'buttons' }, back, now),
    )
  }

  async function bringBack({ id, title }: NoteLine): Promise<void> {
    const record = await recall.get(id)
    if (record === undefined) return
    await setTrashedAt(recall, record, null).catch((error: unknown) =>
      explainError('The note could not be brought back.', error),
    )
    announce(`${title} is back.`)
  }

  async function forget(lines: readonly NoteLine[]): Promise<void> {
    const records = (await recall.get(lines.map(({ id }) => id))).filter((record) => record !== undefined)
    if (records.length > 0) await deletions.remove(records, { isForGood: true })
  }

  /** The notes that were deleted more than 30 days ago. */
  async function forgetOld(): Promise<void> {
    const old = index.trashed().filter(({ trashedAt }) => (trashedAt ?? 0) < Date.now() - keptMs)
    if (old.length > 0)
      await recall
        .forget(old.map(({ id }) => id))
        .catch((error: unknown) => explainError('Old notes in the trash could not be erased yet.', error))
  }
}

/** Null brings it back. */
async function setTrashedAt(recall: Recall, { id, metadata }: StoredRecord, trashedAt: number | null): Promise<void> {
  const { trashedAt: _, ...others } = metadata
  await recall.patch(id, { metadata: trashedAt === null ? others : { ...others, trashedAt } })
}
