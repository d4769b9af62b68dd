/**
 * Stores notes as they are typed: a draft almost at once, the note after a pause, one write at a time and always the newest text.
 * Says how it stands, and means it: `saved` comes after the store's own receipt.
 */
import type { Recall } from 'scrubjay'
import { settleSoon, whenGone } from '../shared/page-life.ts'
import { type Draft, draftOwners, draftsOf, dropDraft, keepDraft, onForeignDraft, whileAlone } from './drafts.ts'
import { isBlank, type NoteText } from './note.ts'
import type { NoteIndex } from './note-index.ts'
import { type StoredNote, storeNote } from './store-note.ts'

export type SaveState =
  | { readonly kind: 'empty' | 'typing' | 'saving' }
  /** With a `split`, what was typed is now a note of its own. */
  | { readonly kind: 'saved'; readonly stored: StoredNote }
  | { readonly kind: 'failed'; readonly error: unknown }

export interface NoteSaver {
  /** Tells what is stored of a note whose text is shown now; null: nothing yet. Later edits are made from it. */
  begin(id: string, stored: NoteText | null): void
  /** Takes the newest text of a note. */
  edit(id: string, text: NoteText): void
  isDirty(id: string): boolean
  /** What was typed into a note and could not be stored yet; null: nothing. */
  unsaved(id: string): NoteText | null
  /** The stored text that the text shown now was made from; null: nothing was stored. */
  baseOf(id: string): NoteText | null
  /** Stores what waits, now. Never rejects: a failure is a state. */
  flush(): Promise<void>
  /** Lets go of a note that is being deleted. */
  abandon(id: string): void
}

/** ms after the last key. */
const pauseMs = 400

/** ms in which keys share one draft: writing a long text to local storage costs more than a key may. */
const draftMs = 150

export function createNoteSaver(
  recall: Recall,
  index: NoteIndex,
  tell: (id: string, state: SaveState) => void,
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
        return tell(id, { kind: 'empty' })
      }
      keep({ id, text, base: bases.get(id) ?? null, sent: saving?.id === id ? saving.text : null })
      tell(id, { kind: 'typing' })
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

  /** Each text once: one that cannot be stored waits for the next time and holds up no other. */
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
    tell(id, { kind: 'saving' })
    try {
      const stored = await whileAlone(() => storeNote(recall, index, draft))
      saving = null
      takeOver(draft, stored)
      tell(id, { kind: 'saved', stored })
    } catch (error) {
      saving = null
      if (!waiting.has(id)) waiting.set(id, draft)
      tell(id, { kind: 'failed', error })
    }
  }

  /** Text that was typed while its note was being stored was made from what was sent, and belongs to where that went. */
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
 * Stores what pages that are gone could not store, now and whenever a page goes. `told` hears of each text that was news.
 * Resolves when the drafts that were there at the start are stored.
 */
export async function storeDrafts(
  recall: Recall,
  index: NoteIndex,
  told: (id: string, stored: StoredNote) => void,
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
        if (stored.isChanged) told(draft.id, stored)
        dropDraft(draft.id, owner)
      } catch (error) {
        failed(error)
      }
    }
  }
}
