/**
 * Keeps drafts, that is, typed text that is not stored yet. They are in local storage, because a page that is being closed
 * can still write there. Each page has its own drafts, so tabs do not overwrite each other's. Without local storage, text
 * that is typed last may be lost.
 */
import { pageId } from '../shared/page-life.ts'
import type { NoteText } from './model/note.ts'

export interface Draft {
  readonly id: string
  readonly text: NoteText
  /** The stored text that this one started from; null for a note that was not stored yet. */
  readonly base: NoteText | null
  /** The text that was being stored while this one was typed: the store may have it by now. */
  readonly sent: NoteText | null
}

const prefix = 'scrubjay-notes-draft:'
let keepsDrafts = true

/** Of locked notes nothing is kept outside the store: local storage is not encrypted. Text that is typed in the last moment may be lost. */
export function keepNoDrafts(): void {
  keepsDrafts = false
}

export function keepDraft(draft: Draft): void {
  if (!keepsDrafts) return
  attempt(() => localStorage.setItem(keyOf(pageId, draft.id), JSON.stringify(draft)))
}

/** Drops the draft of a note. `owner` is the id of its page; default: this page. */
export function dropDraft(id: string, owner = pageId): void {
  attempt(() => localStorage.removeItem(keyOf(owner, id)))
}

/** Ids of the pages that have drafts. */
export function draftOwners(): readonly string[] {
  return [...new Set(keys().map(ownerOf))]
}

export function draftsOf(owner: string): readonly Draft[] {
  return keys().flatMap((key) => (ownerOf(key) === owner ? (readDraft(key) ?? []) : []))
}

/** Calls `listener` with the id of each other page that writes a draft. */
export function onForeignDraft(listener: (owner: string) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(prefix) === true && newValue !== null) listener(ownerOf(key))
  })
}

/** Lets one page at a time read and store notes. Otherwise, text that another page stores in between would be overwritten. */
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

/** Local storage may be blocked, full, or hold data of another program. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
