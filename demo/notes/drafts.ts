/**
 * What is typed and not yet stored, where even a page that is going away can still write: at once, and in this browser.
 * The next start stores what is left over. Without local storage there are no drafts, and notes are only as safe as the store.
 */
import type { NoteText } from './note.ts'

export interface Draft {
  readonly id: string
  readonly text: NoteText
  /** Whether the store had no such note: else a note that is missing later was deleted, and stays so. */
  readonly isNew: boolean
  readonly atMs: number
}

const prefix = 'scrubjay-notes-draft:'

export function keepDraft(draft: Draft): void {
  attempt(() => localStorage.setItem(prefix + draft.id, JSON.stringify(draft)))
}

/** Drops the note's draft, unless it is newer than what was stored. */
export function dropDraft(id: string, storedAtMs = Infinity): void {
  const draft = readDraft(prefix + id)
  if (draft !== null && draft.atMs <= storedAtMs) attempt(() => localStorage.removeItem(prefix + id))
}

export function allDrafts(): readonly Draft[] {
  const keys = attempt(() => Object.keys(localStorage)) ?? []
  return keys.filter((key) => key.startsWith(prefix)).flatMap((key) => readDraft(key) ?? [])
}

/** One tab at a time stores drafts: an older text must not land after a newer one. */
export function whileAlone<T>(run: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('scrubjay-notes-drafts', run) : run()
}

function readDraft(key: string): Draft | null {
  return attempt((): Draft => JSON.parse(localStorage.getItem(key) ?? 'null')) ?? null
}

/** Local storage may be refused, full, or hold what another program wrote. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
