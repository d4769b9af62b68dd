/**
 * What is typed and not yet stored, where even a page that is going away can still write: at once, and in this browser.
 * Each page has drafts of its own, so two tabs never overwrite each other's. Without local storage there are no drafts, and
 * notes are only as safe as the store.
 */
import { pageId } from '../shared/page-life.ts'
import type { NoteText } from './note.ts'

export interface Draft {
  readonly id: string
  readonly text: NoteText
  /** The stored text that this one was made from; null for a note that was not stored yet. */
  readonly base: NoteText | null
  /** What was on its way to the store while this was typed: the store may have it by now. */
  readonly sent: NoteText | null
}

const prefix = 'scrubjay-notes-draft:'

export function keepDraft(draft: Draft): void {
  attempt(() => localStorage.setItem(keyOf(pageId, draft.id), JSON.stringify(draft)))
}

/** Drops a page's draft of a note, this one's unless another is named. */
export function dropDraft(id: string, owner = pageId): void {
  attempt(() => localStorage.removeItem(keyOf(owner, id)))
}

/** The ids of the pages that have left drafts. */
export function draftOwners(): readonly string[] {
  return [...new Set(keys().map(ownerOf))]
}

export function draftsOf(owner: string): readonly Draft[] {
  return keys().flatMap((key) => (ownerOf(key) === owner ? (readDraft(key) ?? []) : []))
}

/** Tells of each page that writes a draft while this one is open. */
export function onForeignDraft(listener: (owner: string) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(prefix) === true && newValue !== null) listener(ownerOf(key))
  })
}

/** One page at a time reads a note and stores it: what another one stores in between would be overwritten. */
export function whileAlone<T>(run: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('scrubjay-notes-drafts', run) : run()
}

function keys(): readonly string[] {
  return attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(prefix))) ?? []
}

function keyOf(owner: string, id: string): string {
  return `${prefix}${owner}:${id}`
}

function ownerOf(key: string): string {
  return key.slice(prefix.length).split(':', 1)[0] ?? ''
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
