/**
 * Stores notes as they are typed: a draft at once, the note after a pause, one write at a time and always the newest text.
 * Says how it stands, and means it: `saved` comes after the store's own receipt.
 */
import type { Durability, Recall } from 'scrubjay'
import { allDrafts, type Draft, dropDraft, keepDraft, whileAlone } from './drafts.ts'
import { comingBack, isBlank, type NoteText, recordOf } from './note.ts'
import type { NoteIndex } from './note-index.ts'

export type SaveState =
  | { readonly kind: 'empty' | 'typing' | 'saving' }
  | { readonly kind: 'saved'; readonly durability: Durability }
  | { readonly kind: 'failed'; readonly error: unknown }

export interface NoteSaver {
  /** Takes the newest text of a note. */
  edit(id: string, text: NoteText): void
  isDirty(id: string): boolean
  /** Stores what waits, now. Never rejects: a failure is a state. */
  flush(): Promise<void>
  /** Lets go of a note that is being deleted. */
  abandon(id: string): void
}

/** ms after the last key. */
const pauseMs = 400

export function createNoteSaver(
  recall: Recall,
  index: NoteIndex,
  tell: (id: string, state: SaveState) => void,
): NoteSaver {
  const waiting = new Map<string, Draft>()
  let running: Promise<void> | undefined
  let savingId: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  return {
    edit(id, text) {
      clearTimeout(timer)
      if (isBlank(text)) {
        waiting.delete(id)
        dropDraft(id)
        return tell(id, { kind: 'empty' })
      }
      const draft = { id, text, isNew: index.byId(id) === undefined, atMs: Date.now() }
      waiting.set(id, draft)
      keepDraft(draft)
      tell(id, { kind: 'typing' })
      timer = setTimeout(() => void flush(), pauseMs)
    },
    isDirty: (id) => waiting.has(id) || savingId === id,
    flush,
    abandon(id) {
      waiting.delete(id)
      dropDraft(id)
    },
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
    waiting.delete(id)
    savingId = id
    tell(id, { kind: 'saving' })
    try {
      const durability = await whileAlone(() => store(recall, index, draft))
      dropDraft(id, draft.atMs)
      savingId = null
      // Text that came meanwhile is on its way.
      if (!waiting.has(id)) tell(id, { kind: 'saved', durability })
    } catch (error) {
      savingId = null
      if (!waiting.has(id)) waiting.set(id, draft)
      tell(id, { kind: 'failed', error })
    }
  }
}

/** Stores what an earlier page could not; resolves to how many notes that were. */
export function storeDrafts(recall: Recall, index: NoteIndex): Promise<number> {
  return whileAlone(async () => {
    let count = 0
    for (const draft of allDrafts()) {
      const stored = await recall.get(draft.id)
      const isDeleted = stored === undefined && !draft.isNew
      if (!isDeleted && (stored?.updatedAt ?? 0) < draft.atMs) {
        await store(recall, index, draft)
        count++
      }
      dropDraft(draft.id)
    }
    return count
  })
}

async function store(recall: Recall, index: NoteIndex, { id, text }: Draft): Promise<Durability> {
  const known = index.byId(id)
  const fields = recordOf(text, (title) => index.byTitle(title)?.id)
  // Left alone, the rhythm keeps what was learned of it.
  const rhythm = known?.rhythm === text.rhythm ? {} : comingBack(text.rhythm, Date.now())
  const { durability } =
    known === undefined
      ? await recall.put({ id, kind: 'note', source: 'manual', ...fields, ...rhythm })
      : await recall.patch(id, { ...fields, ...rhythm })
  // A link in the text is one the engine may follow. It never weakens what use has made stronger, and a note that was
  // deleted meanwhile is no reason to call this one unsaved.
  const before = new Set(known?.links.map((title) => index.byTitle(title)?.id))
  for (const { target } of fields.relations ?? [])
    if (target !== id && !before.has(target)) await recall.link(id, target).catch(() => undefined)
  await index.refresh([id])
  return durability
}
