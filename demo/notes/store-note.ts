/**
 * Stores the text of a note without losing another text. Changes that another tab or an import has stored meanwhile are
 * merged; if they conflict, the text becomes a separate note.
 */
import type { Durability, Recall } from 'scrubjay'
import type { Draft } from './drafts.ts'
import { asStored, isSameNote, mergeNotes } from './merge-notes.ts'
import { isDayId } from './model/day-note.ts'
import { fileFactsOf } from './model/front-matter.ts'
import { comingBack, type NoteText, recordOf, textOf, trashedAtOf } from './model/note.ts'
import type { NoteIndex } from './model/note-index.ts'

export interface StoredNote {
  /** Id of the draft's note, or of the separate note. */
  readonly id: string
  readonly text: NoteText
  readonly durability: Durability
  /** False if the store already had this text. */
  readonly isChanged: boolean
  /** Why the text became a separate note; null if it did not. */
  readonly split: Split | null
}

/** `conflict`: the note holds another text at the same place. `deleted`: the note was deleted in the meantime. */
export type Split = 'conflict' | 'deleted'

/** Must be called within `whileAlone`. */
export async function storeNote(recall: Recall, index: NoteIndex, draft: Draft): Promise<StoredNote> {
  const { id, base } = draft
  const found = await recall.get(id)
  // Text must not disappear in the trash.
  const record = found === undefined || trashedAtOf(found) !== null ? undefined : found
  const stored = record === undefined ? null : textOf(record)
  if (stored === null && base !== null) return write(recall, index, crypto.randomUUID(), draft.text, null, 'deleted')
  const text = stored === null ? draft.text : reconcile(draft, stored)
  // The note of a day has its own id, which a note in the trash may have.
  const own = stored === null && found !== undefined ? crypto.randomUUID() : id
  if (text !== null) return write(recall, index, own, text, stored, null, fileFactsOf(record?.metadata).frontMatter)
  return write(recall, index, crypto.randomUUID(), conflictCopy(draft.text), null, 'conflict')
}

function reconcile({ id, text, base, sent }: Draft, stored: NoteText): NoteText | null {
  const isAsExpected = [text, base, sent].some((one) => one !== null && isSameNote(one, stored))
  if (isAsExpected) return text
  // Two tabs began the note of a day with an empty text. Without a base, other texts cannot be merged.
  const common = base ?? (isDayId(id) ? { title: text.title, body: '', rhythm: 'never' as const } : null)
  return common === null ? null : mergeNotes(common, text, stored)
}

/** `before` is the stored text of that id; null: not stored. */
async function write(
  recall: Recall,
  index: NoteIndex,
  id: string,
  text: NoteText,
  before: NoteText | null,
  split: Split | null,
  frontMatter = '',
): Promise<StoredNote> {
  const line = index.byId(id)
  const fields = recordOf(text, (link) => index.byLink(link)?.id, frontMatter)
  // An unchanged interval keeps its learned strength.
  const rhythm = before?.rhythm === text.rhythm ? {} : comingBack(text.rhythm, Date.now())
  const { durability, records } =
    before === null
      ? await recall.put({ id, kind: 'note', source: 'manual', ...fields, ...rhythm })
      : await recall.patch(id, { ...fields, ...rhythm })
  // Links of the text become links of the engine; existing links are skipped, because they may be stronger. Linking fails if
  // the other note was deleted meanwhile; this note is saved nevertheless.
  const linked = new Set(line?.links.map((link) => index.byLink(link)?.id))
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
