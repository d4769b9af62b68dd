/**
 * Stores one text of a note without losing another: what was stored in the meantime, by another tab or an import, is merged
 * with it, and where the two contradict each other, the text becomes a note of its own.
 */
import type { Durability, Recall } from 'scrubjay'
import type { Draft } from './drafts.ts'
import { asStored, isSameNote, mergeNotes } from './merge-notes.ts'
import { comingBack, type NoteText, recordOf, textOf } from './note.ts'
import type { NoteIndex } from './note-index.ts'

export interface StoredNote {
  /** The draft's own, unless it had to become a note of its own. */
  readonly id: string
  readonly text: NoteText
  readonly durability: Durability
  /** False when the store had exactly this text. */
  readonly isChanged: boolean
  /** Why it is another note than it was; null when it is not. */
  readonly split: Split | null
}

/** `conflict`: the note holds another text at the same place. `deleted`: the note was deleted in the meantime. */
export type Split = 'conflict' | 'deleted'

/** Needs `whileAlone` around it. */
export async function storeNote(recall: Recall, index: NoteIndex, draft: Draft): Promise<StoredNote> {
  const { id, base } = draft
  const record = await recall.get(id)
  const stored = record === undefined ? null : textOf(record)
  if (stored === null && base !== null) return write(recall, index, crypto.randomUUID(), draft.text, null, 'deleted')
  const text = stored === null ? draft.text : reconcile(draft, stored)
  if (text !== null) return write(recall, index, id, text, stored, null)
  return write(recall, index, crypto.randomUUID(), conflictCopy(draft.text), null, 'conflict')
}

function reconcile({ text, base, sent }: Draft, stored: NoteText): NoteText | null {
  const isAsExpected = [text, base, sent].some((one) => one !== null && isSameNote(one, stored))
  if (isAsExpected) return text
  // A new note has no text in common with what is stored under its id.
  return base === null ? null : mergeNotes(base, text, stored)
}

/** `before` is what is stored under that id; null: nothing is. */
async function write(
  recall: Recall,
  index: NoteIndex,
  id: string,
  text: NoteText,
  before: NoteText | null,
  split: Split | null,
): Promise<StoredNote> {
  const known = index.byId(id)
  const fields = recordOf(text, (title) => index.byTitle(title)?.id)
  // Left alone, the rhythm keeps what was learned of it.
  const rhythm = before?.rhythm === text.rhythm ? {} : comingBack(text.rhythm, Date.now())
  const { durability, records } =
    before === null
      ? await recall.put({ id, kind: 'note', source: 'manual', ...fields, ...rhythm })
      : await recall.patch(id, { ...fields, ...rhythm })
  // A link in the text is one the engine may follow. It never weakens what use has made stronger, and a note that was
  // deleted meanwhile is no reason to call this one unsaved.
  const linked = new Set(known?.links.map((title) => index.byTitle(title)?.id))
  for (const { target } of fields.relations ?? [])
    if (target !== id && !linked.has(target)) await recall.link(id, target).catch(() => undefined)
  await index.refresh([id])
  const isChanged = records.some(({ outcome }) => outcome !== 'unchanged')
  return { id, text: asStored(text), durability, isChanged, split }
}

function conflictCopy(text: NoteText): NoteText {
  const now = new Date()
  const time = [now.getHours(), now.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
  const title = text.title.trim().replace(/ \(conflict, \d\d:\d\d\)$/, '') || 'Untitled'
  return { ...text, title: `${title} (conflict, ${time})` }
}
