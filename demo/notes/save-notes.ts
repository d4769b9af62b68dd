/**
 * Stores notes while they are typed: a draft almost at once, the note after a pause. One write runs at a time, always with
 * the newest text. `saved` is reported only after the store's receipt.
 */
import type { Recall } from 'scrubjay'
import { settleSoon, whenGone } from '../shared/page-life.ts'
import { type Draft, draftOwners, draftsOf, dropDraft, keepDraft, onForeignDraft, whileAlone } from './drafts.ts'
import { isBlank, type NoteText } from './model/note.ts'
import type { NoteIndex } from './model/note-index.ts'
import { type StoredNote, storeNote } from './store-note.ts'

export type SaveState =
  | { readonly kind: 'empty' | 'typing' | 'saving' }
  /** With a `split`, the typed text is now a separate note. */
  | { readonly kind: 'saved'; readonly stored: StoredNote }
  | { readonly kind: 'failed'; readonly error: unknown }

export interface NoteSaver {
  /** Sets the stored text of the note that is shown now, the base of later edits; null: not stored yet. */
  begin(id: string, stored: NoteText | null): void
  /** Takes the newest text of a note. */
  edit(id: string, text: NoteText): void
  isDirty(id: string): boolean
  /** The text of a note that is not stored yet; null: everything is stored. */
  unsaved(id: string): NoteText | null
  /** The stored text from which the shown text started; null: not stored yet. */
  baseOf(id: string): NoteText | null
  /** Stores waiting texts now. Never rejects: failures become the state `failed`. */
  flush(): Promise<void>
  /** Drops the text of a note that is deleted. */
  abandon(id: string): void
}

/** ms after the last key press. Each stored text is one more version of its note. */
const pauseMs = 1000

/** ms in which key presses share one draft, because writing a long text to local storage is slow. */
const draftMs = 150

export function createNoteSaver(
  recall: Recall,
  index: NoteIndex,
  notify: (id: string, state: SaveState) => void,
): NoteSaver {
  const waiting = new Map<string, Draft>()
  const bases = new Map<string, NoteText | null>()
  let running: Promise<void> | undefined
  let saving: Draft | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let drafting: ReturnType<typeof setTimeout> | undefined
  addEventListener('pagehide', keepDrafts, { capture: true })
  addEventListener('visibilitychange', keepDrafts, { capture: true })

  return {
    begin(id, stored) {
      if (!isDirty(id)) bases.set(id, stored)
    },
    edit(id, text) {
      clearTimeout(timer)
      if (isBlank(text)) {
        discard(id)
        return notify(id, { kind: 'empty' })
      }
      keep({ id, text, base: bases.get(id) ?? null, sent: saving?.id === id ? saving.text : null })
      notify(id, { kind: 'typing' })
      timer = setTimeout(() => void flush(), pauseMs)
    },
    isDirty,
    unsaved: (id) => waiting.get(id)?.text ?? null,
    baseOf: (id) => bases.get(id) ?? null,
    flush,
    abandon: discard,
  }

  function isDirty(id: string): boolean {
    return waiting.has(id) || saving?.id === id
  }

  function keep(draft: Draft): void {
    waiting.set(draft.id, draft)
    drafting ??= setTimeout(keepDrafts, draftMs)
  }

  function keepDrafts(): void {
    clearTimeout(drafting)
    drafting = undefined
    for (const draft of waiting.values()) keepDraft(draft)
  }

  function discard(id: string): void {
    waiting.delete(id)
    dropDraft(id)
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    while (running !== undefined) await running
    if (waiting.size === 0) return
    running = saveAll().finally(() => {
      running = undefined
    })
    await running
  }

  /** Tries each text once. A text that cannot be stored waits for the next flush and does not block others. */
  async function saveAll(): Promise<void> {
    const tried = new Set<Draft>()
    for (;;) {
      const draft = [...waiting.values()].find((one) => !tried.has(one))
      if (draft === undefined) return
      tried.add(draft)
      await save(draft)
    }
  }

  async function save(draft: Draft): Promise<void> {
    const { id } = draft
    keepDrafts()
    waiting.delete(id)
    saving = draft
    notify(id, { kind: 'saving' })
    try {
      const stored = await whileAlone(() => storeNote(recall, index, draft))
      saving = null
      takeOver(draft, stored)
      notify(id, { kind: 'saved', stored })
    } catch (error) {
      saving = null
      if (!waiting.has(id)) waiting.set(id, draft)
      notify(id, { kind: 'failed', error })
    }
  }

  /** Moves text that was typed during a write to the stored note: the written text is its base. */
  function takeOver(draft: Draft, stored: StoredNote): void {
    const newer = waiting.get(draft.id)
    bases.set(stored.id, newer === undefined ? stored.text : draft.text)
    dropDraft(draft.id)
    if (newer === undefined) return
    waiting.delete(draft.id)
    keep({ ...newer, id: stored.id, base: draft.text, sent: null })
  }
}

/**
 * Stores the drafts of closed pages, now and whenever a page is closed. `restored` is called for each draft that changed the
 * store. Resolves when the drafts that existed at the start are stored.
 */
export async function storeDrafts(
  recall: Recall,
  index: NoteIndex,
  restored: (id: string, stored: StoredNote) => void,
  failed: (error: unknown) => void,
): Promise<void> {
  const watched = new Set<string>()
  const watch = async (owner: string) => {
    if (watched.has(owner)) return
    watched.add(owner)
    await whenGone(owner, () => whileAlone(() => storeAll(owner))).catch(failed)
    watched.delete(owner)
  }
  onForeignDraft((owner) => void watch(owner))
  await settleSoon(draftOwners().map(watch))

  async function storeAll(owner: string): Promise<void> {
    for (const draft of draftsOf(owner)) {
      try {
        const stored = await storeNote(recall, index, draft)
        if (stored.isChanged) restored(draft.id, stored)
        dropDraft(draft.id, owner)
      } catch (error) {
        failed(error)
      }
    }
  }
}
