/** The notes in Cache Storage that say where each store is: their keys, and their text. */
import { directoryName, parseName } from './store-directory.ts'

/** The kinds that persist. */
export type PersistentKind = 'opfs' | 'indexeddb'

export interface LocationNote {
  /** Null: no location is saved. */
  readonly kind: PersistentKind | null
  /** A kind in which moving may have left a copy. The copy must be removed, never opened. */
  readonly leftover?: PersistentKind | null
  /** The store's name. Undefined in notes of releases that did not save it. */
  readonly name?: string | undefined
}

/** The cache that holds the notes. */
export const notesCache = 'scrubjay-homes'

/** A key only, never fetched: the top-level domain `.invalid` is reserved. */
const keyPrefix = 'https://scrubjay.invalid/'

export function noteKey(name: string): string {
  return keyPrefix + directoryName(name)
}

/** The store's directory in a key. */
export function directoryOfKey(key: string): string {
  return key.slice(keyPrefix.length)
}

/** Older releases read the first two words. The name is JSON, because it may contain any code unit. */
export function formatNote({ kind, leftover, name }: LocationNote): string {
  return `${kind} ${leftover ?? '-'} ${JSON.stringify(name)}`
}

export function parseNote(text: string): LocationNote {
  const [kind, leftover, ...rest] = text.split(' ')
  return { kind: kindOf(kind), leftover: kindOf(leftover), name: parseName(rest.join(' ')) }
}

function kindOf(word: string | undefined): PersistentKind | null {
  return word !== undefined && isPersistent(word) ? word : null
}

export function isPersistent(kind: string): kind is PersistentKind {
  return kind === 'opfs' || kind === 'indexeddb'
}
